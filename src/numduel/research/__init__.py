"""Sequences, and claims verified over long ranges with certificates. Needs the extra `ranges`."""
