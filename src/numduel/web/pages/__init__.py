"""The pages: server HTML that works without scripts."""
