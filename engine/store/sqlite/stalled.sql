-- Version 2: when an open stream counts as stuck, unless something happens to it. Whatever is open is looked at once.

ALTER TABLE streams ADD COLUMN stuck_at INTEGER;  -- UTC epoch milliseconds; NULL where nobody has to look

CREATE INDEX streams_stuck ON streams (stuck_at) WHERE stuck_at IS NOT NULL;

UPDATE streams SET stuck_at = 0 WHERE is_open;
