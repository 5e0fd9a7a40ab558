-- Version 6: how far positions had got when events were deleted, as a tenant's are that has gone for good, and how many.

CREATE TABLE purged (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    position INTEGER NOT NULL,
    events   INTEGER NOT NULL
) STRICT;

INSERT INTO purged (id, position, events) VALUES (1, 0, 0);
