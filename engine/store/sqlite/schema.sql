-- Version 1. What comes later is a file of its own, listed in database.py; this one is not changed any more.

CREATE TABLE streams (
    id            INTEGER PRIMARY KEY,
    enterprise_id TEXT NOT NULL,
    team_id       TEXT NOT NULL,
    stream        TEXT NOT NULL,
    protocol      TEXT NOT NULL,
    version       INTEGER NOT NULL,
    chain         BLOB NOT NULL,                -- of the last event; the genesis where there is none
    is_open       INTEGER NOT NULL,
    shown         INTEGER NOT NULL DEFAULT 0,   -- the version the outside has seen
    unshown       INTEGER,                      -- position of the first event it has not; NULL while shown = version
    UNIQUE (enterprise_id, team_id, stream)
) STRICT;

CREATE INDEX streams_unshown ON streams (unshown) WHERE unshown IS NOT NULL;

-- A rowid table that is appended to: a key clustered by stream writes four times as much.
-- Events are never deleted, so positions grow without AUTOINCREMENT, which costs a page in every transaction.
CREATE TABLE events (
    position       INTEGER PRIMARY KEY,
    stream         INTEGER NOT NULL REFERENCES streams,
    seq            INTEGER NOT NULL,
    event_type     TEXT NOT NULL,
    at             INTEGER NOT NULL,            -- UTC epoch milliseconds
    public         TEXT NOT NULL,               -- JSON
    private        TEXT,                        -- JSON; erasable, together with its salt
    salt           BLOB,
    private_digest BLOB,                        -- stays when the text is erased
    digest         BLOB NOT NULL,
    chain          BLOB NOT NULL,
    UNIQUE (stream, seq)
) STRICT;

CREATE TABLE inbox (
    stream     INTEGER NOT NULL REFERENCES streams,
    command_id TEXT NOT NULL,
    refusal    TEXT,
    PRIMARY KEY (stream, command_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE owed (
    turn       INTEGER PRIMARY KEY AUTOINCREMENT,  -- a cursor over debts must not meet a used number again
    stream     INTEGER NOT NULL REFERENCES streams,
    effect_id  TEXT NOT NULL,
    kind       TEXT NOT NULL,
    scope      TEXT NOT NULL,
    body       TEXT NOT NULL,                   -- JSON
    attempts   INTEGER NOT NULL,
    not_before INTEGER NOT NULL,                -- UTC epoch milliseconds
    parked     INTEGER NOT NULL,
    UNIQUE (stream, effect_id)
) STRICT;

CREATE TABLE alarms (
    stream     INTEGER NOT NULL REFERENCES streams,
    name       TEXT NOT NULL,
    generation INTEGER NOT NULL,
    due        INTEGER NOT NULL,                -- UTC epoch milliseconds
    PRIMARY KEY (stream, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX alarms_due ON alarms (due);

CREATE TABLE records (
    enterprise_id TEXT NOT NULL,
    team_id       TEXT NOT NULL,
    kind          TEXT NOT NULL,
    key           TEXT NOT NULL,
    value         TEXT NOT NULL,                -- JSON
    PRIMARY KEY (enterprise_id, team_id, kind, key)
) STRICT, WITHOUT ROWID;
