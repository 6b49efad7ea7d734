"""The command line: one file a command, and the screens that they show things on."""
