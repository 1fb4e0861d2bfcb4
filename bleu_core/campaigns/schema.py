"""Database schema of a campaign file."""

from __future__ import annotations

#: "BLEU" in ASCII. SQLite stores it in the file header, which distinguishes campaigns from other databases.
APPLICATION_ID = 0x424C4555
#: Version of the schema; it increases when the tables change.
SCHEMA_VERSION = 2

#: Added in version 2.
VERSION_2_TABLES = """
CREATE TABLE commits (number INTEGER PRIMARY KEY, mark INTEGER NOT NULL, base INTEGER NOT NULL) STRICT;
CREATE INDEX comments_of_judge ON comments (judge, place);
"""

TABLES = """
CREATE TABLE campaign (number INTEGER PRIMARY KEY CHECK (number = 1), plan TEXT NOT NULL, digest TEXT NOT NULL,
    created REAL NOT NULL, segments INTEGER NOT NULL) STRICT;
CREATE TABLE segments (segment INTEGER PRIMARY KEY, source TEXT, document TEXT, probability REAL NOT NULL) STRICT;
CREATE TABLE items (item INTEGER PRIMARY KEY, segment INTEGER NOT NULL REFERENCES segments, system TEXT NOT NULL,
    kind TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE TABLE judges (judge INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "group" TEXT NOT NULL,
    code TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE tokens (number INTEGER PRIMARY KEY, judge INTEGER REFERENCES judges, hash TEXT NOT NULL UNIQUE,
    created REAL NOT NULL) STRICT;
CREATE TABLE slots (judge INTEGER NOT NULL REFERENCES judges, place INTEGER NOT NULL, kind TEXT NOT NULL,
    PRIMARY KEY (judge, place)) STRICT;
CREATE TABLE shown (judge INTEGER NOT NULL, place INTEGER NOT NULL, item INTEGER NOT NULL REFERENCES items,
    position INTEGER NOT NULL, PRIMARY KEY (judge, place, item),
    FOREIGN KEY (judge, place) REFERENCES slots) STRICT;
CREATE TABLE answers (number INTEGER PRIMARY KEY, client TEXT NOT NULL UNIQUE, judge INTEGER NOT NULL,
    place INTEGER NOT NULL, item INTEGER NOT NULL, revision INTEGER NOT NULL, score REAL, reason TEXT,
    shown REAL NOT NULL, given REAL NOT NULL, stored REAL NOT NULL, UNIQUE (judge, place, item, revision),
    CHECK ((score IS NULL) <> (reason IS NULL)), FOREIGN KEY (judge, place, item) REFERENCES shown) STRICT;
CREATE TABLE comments (number INTEGER PRIMARY KEY, client TEXT NOT NULL UNIQUE, judge INTEGER NOT NULL,
    place INTEGER NOT NULL, text TEXT NOT NULL, stored REAL NOT NULL,
    FOREIGN KEY (judge, place) REFERENCES slots) STRICT;
CREATE TABLE exclusions (number INTEGER PRIMARY KEY, judge INTEGER NOT NULL REFERENCES judges,
    excluded INTEGER NOT NULL CHECK (excluded IN (0, 1)), reason TEXT NOT NULL, stored REAL NOT NULL) STRICT;
CREATE TABLE events (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, note TEXT NOT NULL, stored REAL NOT NULL) STRICT;
"""

#: Table -> its unique keys. Triggers refuse an INSERT OR REPLACE with an existing key, which would delete a row.
UNIQUE_KEYS = {
    "campaign": (("number",),),
    "segments": (("segment",),),
    "items": (("item",),),
    "judges": (("judge",), ("name",), ("code",)),
    "tokens": (("number",), ("hash",)),
    "slots": (("judge", "place"),),
    "shown": (("judge", "place", "item"),),
    "answers": (("number",), ("client",), ("judge", "place", "item", "revision")),
    "comments": (("number",), ("client",)),
    "exclusions": (("number",),),
    "events": (("number",),),
    "commits": (("number",),),
}


def statements(tables: str = TABLES + VERSION_2_TABLES) -> list[str]:
    """Return the statements that create the tables and the triggers that make them append only."""
    created = [statement for statement in tables.split(";\n") if statement.strip()]
    for table, keys in UNIQUE_KEYS.items():
        if f"CREATE TABLE {table} " not in tables:
            continue
        created += [
            f"CREATE TRIGGER {table}_{operation} BEFORE {operation} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append only'); END"
            for operation in ("UPDATE", "DELETE")
        ]
        matches = " OR ".join("(" + " AND ".join(f"{column} = NEW.{column}" for column in key) + ")" for key in keys)
        begin = f"CREATE TRIGGER {table}_replace BEFORE INSERT ON {table} "
        condition = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {matches}) "  # noqa: S608 # names of this module
        created.append(f"{begin}{condition}BEGIN SELECT RAISE(ABORT, '{table} is append only'); END")
    return created
