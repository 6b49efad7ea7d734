"""Study: rules, tutorials, puzzles, replays, any board explored, a rule of one's own."""
