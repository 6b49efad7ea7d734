"""The API for programs: the same actions as the pages, as JSON.

rooms         play: open, look, take a seat, move, take back, play again, delete
questions     games, verdicts, maps, analysis, puzzles, tutorials
shapes        what is taken, and what rooms answer; what thinkers answer is beside the question
routes        how operations are added and answered, and the refusals that are documented
reference     /api, a page made from /openapi.json
"""
