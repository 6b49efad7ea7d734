"""Many matches between players that are programs, and what they tell about the players."""
