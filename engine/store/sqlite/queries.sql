-- What SqliteStore says to its database. One statement a name; queries.py reads them.

-- name: find_stream
SELECT id, version, chain, protocol, shown, unshown, is_open, stalled_at, outbox, owes, parked
FROM streams WHERE enterprise_id = ? AND team_id = ? AND stream = ?;

-- name: streams_called
SELECT enterprise_id, team_id FROM streams WHERE stream = ? ORDER BY enterprise_id, team_id;

-- name: streams
SELECT enterprise_id, team_id, stream FROM streams ORDER BY id;

-- name: last_stream
SELECT max(stream, coalesce((SELECT max(id) FROM streams), 0)) FROM purged WHERE id = 1;

-- name: create_stream
INSERT INTO streams (
    id, enterprise_id, team_id, stream, protocol, version, chain, unshown, is_open, stalled_at, outbox, owes, parked
)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: advance_stream
WITH now (id, version, chain, outbox) AS (VALUES (?, ?, ?, ?))
UPDATE streams SET version = now.version, chain = now.chain, outbox = now.outbox FROM now WHERE streams.id = now.id;

-- name: advance_and_postpone
WITH now (id, version, chain, outbox, stalled_at) AS (VALUES (?, ?, ?, ?, ?))
UPDATE streams SET version = now.version, chain = now.chain, outbox = now.outbox, stalled_at = now.stalled_at
FROM now WHERE streams.id = now.id;

-- Each of these is in an index, whose pages are written with it: they are set where they change.

-- name: set_open
WITH now (id, is_open) AS (VALUES (?, ?))
UPDATE streams SET is_open = now.is_open FROM now WHERE streams.id = now.id;

-- name: set_owing
WITH now (id, owes, parked) AS (VALUES (?, ?, ?))
UPDATE streams SET owes = now.owes, parked = now.parked FROM now WHERE streams.id = now.id;

-- name: set_unshown
WITH now (id, unshown) AS (VALUES (?, ?))
UPDATE streams SET unshown = now.unshown FROM now WHERE streams.id = now.id;

-- name: is_handled
SELECT 1 FROM inbox WHERE stream = ? AND command_id = ?;

-- name: handle
INSERT INTO inbox (stream, command_id, refusal) VALUES (?, ?, ?);

-- name: append_event
INSERT INTO events (position, stream, seq, event_type, at, public, private, salt, private_digest, digest, chain)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: erase
UPDATE events SET private = NULL, salt = NULL WHERE stream = ? AND seq = ?;

-- name: reword
UPDATE events SET public = ?, private = ?, salt = ?, digest = ?, chain = ? WHERE stream = ? AND seq = ?;

-- name: refusals_of_stream
SELECT command_id, refusal FROM inbox WHERE stream = ? AND refusal IS NOT NULL;

-- name: word_refusal
UPDATE inbox SET refusal = ? WHERE stream = ? AND command_id = ?;

-- name: set_alarm
INSERT OR REPLACE INTO alarms (stream, name, generation, due) VALUES (?, ?, ?, ?);

-- name: clear_alarm
DELETE FROM alarms WHERE name = ? AND stream IN (?);

-- name: mark_shown
UPDATE streams
SET shown = :version,
    unshown = (SELECT position FROM events WHERE events.stream = streams.id AND seq = :version + 1)
WHERE id = :stream;

-- name: put_record
INSERT OR REPLACE INTO records (enterprise_id, team_id, kind, key, value) VALUES (?, ?, ?, ?, ?);

-- name: drop_record
DELETE FROM records WHERE enterprise_id = ? AND team_id = ? AND kind = ? AND key IN (?);

-- name: events_of_stream
SELECT position, seq, event_type, at, public, private, salt, private_digest, digest, chain
FROM events WHERE stream = ? ORDER BY seq;

-- name: commands_of_stream
SELECT command_id, refusal FROM inbox WHERE stream = ?;

-- name: alarms_of_stream
SELECT name, generation, due FROM alarms WHERE stream = ? ORDER BY name;

-- name: owing_streams
SELECT id, enterprise_id, team_id, stream, outbox FROM streams INDEXED BY streams_owing
WHERE owes AND id > ? ORDER BY id LIMIT ?;

-- name: due
SELECT enterprise_id, team_id, streams.stream, name, generation, due
FROM alarms JOIN streams ON streams.id = alarms.stream
WHERE due <= ? ORDER BY due, alarms.stream, name LIMIT ?;

-- name: next_due
SELECT min(due) FROM alarms;

-- name: stalled
SELECT enterprise_id, team_id, stream, version, stalled_at FROM streams
WHERE stalled_at <= ? ORDER BY stalled_at LIMIT ?;

-- name: last_position
SELECT max(position, coalesce((SELECT max(position) FROM events), 0)) FROM purged WHERE id = 1;

-- Positions are given one after another, so that nothing has to be counted.

-- name: count_events
SELECT max(position, coalesce((SELECT max(position) FROM events), 0)) - events FROM purged WHERE id = 1;

-- name: events_of_tenant
SELECT streams.stream, position, seq, event_type, at, public, private, private_digest
FROM events CROSS JOIN streams ON streams.id = events.stream
WHERE position > :after AND position <= :up_to AND enterprise_id = :enterprise AND team_id = :team
ORDER BY position LIMIT :limit;

-- name: lagging
SELECT enterprise_id, team_id, stream, version, shown FROM streams
WHERE unshown IS NOT NULL ORDER BY unshown LIMIT ?;

-- A comparison of two columns at once begins with the rows that are equal in both, which are all of one tenant's.

-- name: tenant_after
SELECT enterprise_id, team_id FROM records WHERE enterprise_id = :enterprise AND team_id > :team
UNION ALL
SELECT enterprise_id, team_id FROM records WHERE enterprise_id > :enterprise
ORDER BY enterprise_id, team_id LIMIT 1;

-- name: records
SELECT key, value FROM records
WHERE enterprise_id = ? AND team_id = ? AND kind = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?;

-- name: records_backwards
SELECT key, value FROM records
WHERE enterprise_id = ? AND team_id = ? AND kind = ? AND key >= ? AND key < ? ORDER BY key DESC LIMIT ?;

-- Ids are given one after another, and no id twice, so that nothing has to be counted.

-- name: count_streams
SELECT max(stream, coalesce((SELECT max(id) FROM streams), 0)) - streams FROM purged WHERE id = 1;

-- name: count_open
SELECT count(*) FROM streams INDEXED BY streams_open WHERE is_open;

-- name: count_open_of_tenant
SELECT count(*) FROM streams INDEXED BY streams_open WHERE is_open AND enterprise_id = ? AND team_id = ?;

-- name: owing_cells
SELECT outbox FROM streams INDEXED BY streams_owing WHERE owes;

-- name: count_parked
SELECT coalesce(sum(parked), 0) FROM streams INDEXED BY streams_parked WHERE parked;

-- name: count_alarms
SELECT count(*) FROM alarms;

-- name: standings
SELECT stream, protocol, version,
    NOT (is_open OR owes OR unshown IS NOT NULL OR EXISTS (SELECT 1 FROM alarms WHERE alarms.stream = streams.id)),
    coalesce((SELECT at FROM events WHERE events.stream = streams.id AND seq = version), 0)
FROM streams WHERE enterprise_id = ? AND team_id = ? AND stream > ? ORDER BY stream LIMIT ?;

-- name: record_places
SELECT kind, key FROM records
WHERE enterprise_id = ? AND team_id = ? AND (kind, key) > (?, ?) ORDER BY kind, key LIMIT ?;

-- name: settled_stream
SELECT id FROM streams
WHERE enterprise_id = ? AND team_id = ? AND stream = ? AND version = ?
    AND NOT (is_open OR owes OR unshown IS NOT NULL OR EXISTS (SELECT 1 FROM alarms WHERE alarms.stream = streams.id));

-- name: streams_of_tenant
SELECT id FROM streams WHERE enterprise_id = ? AND team_id = ? LIMIT ?;

-- name: remember_purged
UPDATE purged
SET position = max(position, coalesce((SELECT max(position) FROM events), 0)), events = events + ?,
    stream = max(stream, coalesce((SELECT max(id) FROM streams), 0)), streams = streams + ?
WHERE id = 1;

-- name: purge_events
DELETE FROM events WHERE stream = ?;

-- name: purge_inbox
DELETE FROM inbox WHERE stream = ?;

-- name: purge_alarms
DELETE FROM alarms WHERE stream = ?;

-- name: purge_stream
DELETE FROM streams WHERE id = ?;

-- name: purge_records
DELETE FROM records WHERE (enterprise_id, team_id, kind, key) IN (
    SELECT enterprise_id, team_id, kind, key FROM records WHERE enterprise_id = ? AND team_id = ? LIMIT ?
);
