-- What SqliteStore says to its database. One statement a name; engine/store/queries.py reads them.

-- name: find_stream
SELECT id, version, chain, protocol, shown FROM streams WHERE enterprise_id = ? AND team_id = ? AND stream = ?;

-- name: streams_called
SELECT enterprise_id, team_id FROM streams WHERE stream = ? ORDER BY enterprise_id, team_id;

-- name: create_stream
INSERT INTO streams (enterprise_id, team_id, stream, protocol, version, chain, is_open) VALUES (?, ?, ?, ?, 0, ?, 1)
RETURNING id;

-- name: advance_stream
UPDATE streams SET version = ?, chain = ?, is_open = ?, stuck_at = ?, unshown = coalesce(unshown, ?) WHERE id = ?;

-- name: handle
INSERT INTO inbox (stream, command_id, refusal) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- name: append_event
INSERT INTO events (stream, seq, event_type, at, public, private, salt, private_digest, digest, chain)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: erase
UPDATE events SET private = NULL, salt = NULL WHERE stream = ? AND seq = ?;

-- name: owe
INSERT OR REPLACE INTO owed (stream, effect_id, kind, scope, body, attempts, not_before, parked)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: settle
DELETE FROM owed WHERE stream = ? AND effect_id = ?;

-- name: reschedule
UPDATE owed SET attempts = ?, not_before = ?, parked = ?
WHERE effect_id = ?
  AND stream = (SELECT id FROM streams WHERE enterprise_id = ? AND team_id = ? AND stream = ?);

-- name: set_alarm
INSERT OR REPLACE INTO alarms (stream, name, generation, due) VALUES (?, ?, ?, ?);

-- name: clear_alarm
DELETE FROM alarms WHERE stream = ? AND name = ?;

-- name: mark_shown
UPDATE streams
SET shown = :version,
    unshown = (SELECT position FROM events WHERE events.stream = streams.id AND seq = :version + 1)
WHERE id = :stream;

-- name: put_record
INSERT OR REPLACE INTO records (enterprise_id, team_id, kind, key, value) VALUES (?, ?, ?, ?, ?);

-- name: drop_record
DELETE FROM records WHERE enterprise_id = ? AND team_id = ? AND kind = ? AND key = ?;

-- name: events_of_stream
SELECT position, seq, event_type, at, public, private, salt, private_digest, digest, chain
FROM events WHERE stream = ? ORDER BY seq;

-- name: commands_of_stream
SELECT command_id, refusal FROM inbox WHERE stream = ?;

-- name: owed_of_stream
SELECT effect_id, kind, scope, body, attempts, not_before, parked FROM owed WHERE stream = ? ORDER BY turn;

-- name: alarms_of_stream
SELECT name, generation, due FROM alarms WHERE stream = ? ORDER BY name;

-- name: owed_page
SELECT turn, enterprise_id, team_id, streams.stream, effect_id, kind, scope, body, attempts, not_before, parked
FROM owed JOIN streams ON streams.id = owed.stream
WHERE turn > ? AND NOT parked ORDER BY turn LIMIT ?;

-- name: due
SELECT enterprise_id, team_id, streams.stream, name, generation, due
FROM alarms JOIN streams ON streams.id = alarms.stream
WHERE due <= ? ORDER BY due, alarms.stream, name LIMIT ?;

-- name: next_due
SELECT min(due) FROM alarms;

-- name: stalled_at
SELECT stuck_at FROM streams WHERE enterprise_id = ? AND team_id = ? AND stream = ?;

-- name: stalled
SELECT enterprise_id, team_id, stream, version, stuck_at FROM streams
WHERE stuck_at <= ? ORDER BY stuck_at LIMIT ?;

-- name: last_position
SELECT coalesce(max(position), 0) FROM events;

-- name: events_of_tenant
SELECT streams.stream, position, seq, event_type, at, public, private, private_digest
FROM events CROSS JOIN streams ON streams.id = events.stream
WHERE position > :after AND position <= :up_to AND enterprise_id = :enterprise AND team_id = :team
ORDER BY position LIMIT :limit;

-- name: lagging
SELECT enterprise_id, team_id, stream, version, shown FROM streams
WHERE unshown IS NOT NULL ORDER BY unshown LIMIT ?;

-- name: records_from
SELECT key, value FROM records
WHERE enterprise_id = ? AND team_id = ? AND kind = ? AND key >= ? ORDER BY key;

-- name: counts
SELECT * FROM
    (SELECT count(*) AS streams, total(is_open) AS open_streams, total(version) AS events FROM streams),
    (SELECT count(*) - total(parked) AS owed, total(parked) AS parked FROM owed),
    (SELECT count(*) AS alarms FROM alarms);
