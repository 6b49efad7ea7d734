"""How a history of one version becomes one of the next. Entries are never changed once released."""

_CLASS = "class_code TEXT NOT NULL REFERENCES classes (code) ON DELETE CASCADE"
STEPS: dict[int, list[str]] = {
    10: [
        # By the clock, and not by how long servers have run.
        "UPDATE rooms SET used = :now",
        "UPDATE classes SET used = :now",
        "DROP TABLE uptime",
    ],
    11: [
        # What matches tell is counted as they end: those of classes that are on, once more.
        "ALTER TABLE classes ADD COLUMN counted INTEGER DEFAULT 0 NOT NULL",
        "UPDATE rounds SET judged = NULL",
        "DROP INDEX rounds_room",
        "CREATE INDEX rounds_judged ON rounds (room_id, judged)",
        f"CREATE TABLE seen ({_CLASS}, rules TEXT NOT NULL, value INTEGER NOT NULL, "
        "won INTEGER NOT NULL, lost INTEGER NOT NULL, PRIMARY KEY (class_code, rules, value))",
        f"CREATE TABLE figures ({_CLASS}, round INTEGER NOT NULL, pupil INTEGER NOT NULL, "
        "matches INTEGER NOT NULL, finished INTEGER NOT NULL, moved INTEGER NOT NULL, "
        "won INTEGER NOT NULL, kept INTEGER NOT NULL, keepable INTEGER NOT NULL, "
        "judged INTEGER NOT NULL, too_hard INTEGER NOT NULL, "
        "PRIMARY KEY (class_code, round, pupil))",
        f"CREATE TABLE mistakes ({_CLASS}, round INTEGER NOT NULL, board TEXT NOT NULL, "
        "move TEXT NOT NULL, best TEXT, times INTEGER NOT NULL, "
        "PRIMARY KEY (class_code, round, board, move))",
        "CREATE INDEX mistakes_times ON mistakes (class_code, round, times)",
    ],
    12: [
        "ALTER TABLE classes ADD COLUMN key TEXT",
        "ALTER TABLE classes ADD COLUMN locked BOOLEAN DEFAULT FALSE NOT NULL",
        "ALTER TABLE classes ADD COLUMN made_up BOOLEAN DEFAULT FALSE NOT NULL",
        "ALTER TABLE teachers ADD COLUMN name TEXT DEFAULT '' NOT NULL",
        f"CREATE TABLE door ({_CLASS}, number INTEGER, name TEXT NOT NULL,"
        " token TEXT NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (class_code, number))",
        f"CREATE TABLE removed ({_CLASS}, token TEXT NOT NULL, PRIMARY KEY (class_code, token))",
    ],
    13: [
        "ALTER TABLE classes ADD COLUMN projector TEXT",
        "ALTER TABLE classes ADD COLUMN shows TEXT DEFAULT 'stage' NOT NULL",
        "ALTER TABLE classes ADD COLUMN names BOOLEAN DEFAULT TRUE NOT NULL",
        "ALTER TABLE questions ADD COLUMN winning TEXT",
        f"CREATE TABLE class_puzzles ({_CLASS}, puzzle_set INTEGER NOT NULL, "
        "number INTEGER NOT NULL, board TEXT NOT NULL, asks TEXT NOT NULL, "
        "solution TEXT NOT NULL, PRIMARY KEY (class_code, puzzle_set, number))",
        f"CREATE TABLE class_answers ({_CLASS}, puzzle_set INTEGER NOT NULL, "
        "number INTEGER NOT NULL, pupil INTEGER NOT NULL, answer TEXT NOT NULL, "
        "is_right BOOLEAN NOT NULL, PRIMARY KEY (class_code, puzzle_set, number, pupil))",
    ],
}  # the statements that lead to a version from the one before
VERSION = max(STEPS)
