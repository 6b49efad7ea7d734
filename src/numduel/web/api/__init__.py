"""The same actions and questions as JSON, for programs."""
