-- Version 3: a stream's pending effects are one cell of its row, and nothing that is asked often looks through what ended.

ALTER TABLE streams RENAME COLUMN stuck_at TO stalled_at;

ALTER TABLE streams ADD COLUMN outbox TEXT NOT NULL DEFAULT '[]';   -- JSON, see outbox_cell.py
ALTER TABLE streams ADD COLUMN owes INTEGER NOT NULL DEFAULT 0;     -- whether an effect in it is not parked
ALTER TABLE streams ADD COLUMN parked INTEGER NOT NULL DEFAULT 0;   -- how many are

UPDATE streams
SET outbox = (
        SELECT json_group_array(json_array(kind, scope, json_array(
            json_array(effect_id, json(body), attempts, not_before, json(iif(parked, 'true', 'false')))
        )))
        FROM (SELECT * FROM owed WHERE owed.stream = streams.id ORDER BY turn)
    ),
    owes = EXISTS (SELECT 1 FROM owed WHERE owed.stream = streams.id AND NOT owed.parked),
    parked = (SELECT count(*) FROM owed WHERE owed.stream = streams.id AND owed.parked)
WHERE id IN (SELECT stream FROM owed);

DROP TABLE owed;

CREATE INDEX streams_owing ON streams (id) WHERE owes;
CREATE INDEX streams_parked ON streams (id) WHERE parked;
CREATE INDEX streams_open ON streams (id) WHERE is_open;
CREATE INDEX streams_called ON streams (stream);
