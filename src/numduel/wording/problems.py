"""The sentences for boards, records and setups that cannot be used, by problem."""

BOARD_PROBLEMS = {
    "empty": "{text} leaves a number of the board empty. A board looks like divisor-duel:60, "
    "or subtract-a-prime:20+divisor-duel:60.",
    "no number": "{part} does not say its number. A board looks like divisor-duel:60.",
    "not a number": "In the board {text}: {number} A board looks like divisor-duel:60.",
    "too small": "{part} is not a position: the smallest number of this game is {least}.",
    "too many numbers": "A board of {count:,} numbers is too large; the limit is {limit}.",
    "ending": "A board can end in ~misere, but not in {ending}.",
    "variant twice": "The board {text} sets a variant twice: {part}.",
    "variant without value": "In the board {text}, {part} should be a variant and its value, "
    "like divisors=even.",
}

RECORD_PROBLEMS = {
    "not one record": "there should be one record, and there are {count}.",
    "no heading": 'a record begins with "numduel record 1", not with {text}.',
    "format": "{text} is not a format that this numduel reads; it reads format {format}.",
    "cut short": "the record ends here, before its result.",
    "wrong line": "the line should begin with {expected}, and it is {text}.",
    "date": "{text} is not a date and time with its offset, like 2026-11-15T09:30:00+00:00.",
    "setup": "{error}",
    "penalty": 'the penalty should be "off" or a positive number, and it is {text}.',
    "player": "the line should give a name and what plays, like Alice, person.",
    "name": "{text} is not one of the names {names}.",
    "turn": "{text} is not a turn, like 1. Alice: 15 -> 45.",
    "turn number": "the turn is numbered {text} and should be {expected}.",
    "turn of": "the turn is given to {text} and belongs to {expected}.",
    "pass without penalty": "a turn is passed, but the match has no penalty.",
    "illegal turn": "{text} cannot be: {error}",
    "number after": "the number after the move should be {expected}, and it is {text}.",
    "result": '{text} is not a result: it should be "unfinished" or "NAME wins".',
    "finished": "the match is not unfinished: it should say that {winner} wins.",
    "ending": "{text} is not an ending: no move left, resigned, or overshot with a move.",
    "wrong ending": "{text} is not how the match as recorded ends.",
    "after the end": "{text} stands after the end of the record.",
}

RANGE_PROBLEMS = {
    "order": "[{start}, {stop}) is not a range: it must have {least} <= start <= stop.",
    "limit": "The range ends at {stop}; the kernels reach {limit}.",
    "segment": "A segment of {segment} numbers is none; give at least 1.",
}

SETUP_PROBLEMS = {
    "empty name": "The name of player {seat} is empty, or has blanks at its ends.",
    "long name": "{name} is too long for a name; the limit is {limit} characters.",
    "name character": "{name} has a comma or a character that cannot be shown in a name.",
    "misleading name": "{name} would be taken for something else than a name; choose another.",
    "same names": "Both players are called {name}; choose two names.",
    "two names": "Two names are needed, with a comma between, like Alice,Bob.",
    "overshoot": "Overshooting can be answered by again or loses, not by {value}.",
    "no overshoot": "No game of the board {board} has an overshooting rule; Prime Subtractor has.",
    "penalty": "The penalty must be a number of bad inputs from 1 to {limit}, not {value}.",
    "no penalty": "No game of the board {board} has a rule on penalties; Power Play has.",
    "series": "A series is the best of an odd number of matches up to {limit}, not {value}.",
}

WORD_PROBLEMS = {
    "no stroke": "{text} is not a match in one word, like divisor-duel:60/15.15.5: "
    "a board, a stroke, and the moves with dots between.",
    "setup": "In the word {text}: {error}",
    "note": "{note} cannot stand at the end of a word; there can be first=2, overshoot=loses, "
    "penalty=K, resigned=1 or 2, and overshot=MOVE, with commas between.",
    "turn": "Turn {number} of the word is {turn}: {error}",
    "pass without penalty": "The word {text} has a pass, but no penalty=K at its end.",
    "end": "The word {text} cannot end so: {error}",
    "overshot": "The word {text} says overshot={note}, and that is not how the match ends.",
}

STORE_PROBLEMS = {
    "foreign": "it holds something other than a history of numduel. Nothing there was changed",
    "damaged": "it is damaged. Nothing there was changed; keep a copy before you repair it",
    "newer": "a newer numduel has made it. Update numduel to read it",
    "read-only": "it may only be read, not written",
    "unopened": "it cannot be opened. Look at the folder and its permissions",
    "full": "the disk is full",
    "unwritten": "the disk did not take what was written",
    "busy": "another program keeps it locked",
    "taken": "the same match is being played elsewhere too",
    "address": "the address is not understood. Name a file, or postgresql://USER@HOST/DATABASE",
    "unreachable": "the database cannot be reached, or does not let you in",
    "sql": "the database refused the request",
}

STUDY_PROBLEMS = {
    "no puzzle": "No position of {game} was found that makes a puzzle.",
    "no mistake": "No win was thrown away in this match: there is nothing to try again.",
    "too large": "The analysis stops here: {error}",
    "map size": "A map goes up to a number from {least} to {limit}, not {value}.",
    "columns": "A map has 1 to {limit} columns, not {value}.",
    "graph size": "A move graph is for numbers up to {limit}; {value} is too large to be read.",
    "nothing played": "No turn has been played in this match yet.",
    "one number": "A path is drawn for a board of one number, and {board} has {count}.",
    "no lesson": "There is no tutorial for {game} yet. numduel rules {game} shows its rules.",
    "nothing kept": "There is no match in the history yet.",
    "nothing unfinished": "No match is unfinished.",
    "over": "Match {id} is over. numduel show {id} shows it.",
    "not here": "Match {id} is played by {player}, which is not here to go on.",
}

PICTURE_PROBLEMS = {
    "ending": "A picture file ends in .svg or .png, and {path} does not.",
    "no fonts": "The system has no fonts, so that a PNG would be a picture without text. "
    "Write an SVG file instead, or install a font.",
}
