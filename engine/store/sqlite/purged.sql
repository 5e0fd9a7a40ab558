-- Version 6: how far positions and ids of streams had got when rows were deleted, as a tenant's are that has gone for
-- good, and how many.

CREATE TABLE purged (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    position INTEGER NOT NULL,
    events   INTEGER NOT NULL,
    stream   INTEGER NOT NULL DEFAULT 0,
    streams  INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO purged (id, position, events, stream, streams) VALUES (1, 0, 0, 0, 0);
