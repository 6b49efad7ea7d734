"""Getting better: matches analysed, maps, puzzles, lessons, tallies. Nothing here prints."""
