"""numduel in the browser: pages, an API for programs, and live updates, on rooms."""
