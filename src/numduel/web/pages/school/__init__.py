"""School: a class's pages, for its teacher, its pupils and the projector."""
