"""The command line: one file for each command, and the screens that they use."""
