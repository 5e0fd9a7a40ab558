-- What PostgresStore says to its database. One statement a name; queries.py reads them. Arrays are sent as they are (%b):
-- as text, each quote in the JSON of their elements would have to be escaped, and read back.

-- name: lock_streams
SELECT id, enterprise_id, team_id, streams.stream, version, revision, chain, unshown,
    outbox, owes, parked
FROM streams JOIN unnest(%b::text[], %b::text[], %b::text[]) AS wanted (enterprise, team, name)
    ON enterprise_id = enterprise AND team_id = team AND streams.stream = name
ORDER BY id FOR NO KEY UPDATE OF streams;

-- name: lock_members
SELECT name FROM members WHERE name = ANY (%s) AND until > extract(epoch FROM clock_timestamp()) * 1000
ORDER BY name FOR SHARE;

-- name: draw_ids
SELECT nextval(pg_get_serial_sequence('streams', 'id')) FROM generate_series(1, %s);

-- name: known_commands
SELECT inbox.stream, command_id
FROM unnest(%b::text[], %b::text[], %b::text[], %b::text[]) AS given (enterprise, team, name, command)
    JOIN streams ON enterprise_id = enterprise AND team_id = team AND streams.stream = name
    JOIN inbox ON inbox.stream = streams.id AND command_id = command;

-- name: create_streams
INSERT INTO streams (id, enterprise_id, team_id, stream, protocol,
    version, revision, chain, is_open, outbox, owes, parked)
SELECT *, 0, 0, ''::bytea, true, '[]', false, 0
FROM unnest(%b::bigint[], %b::text[], %b::text[], %b::text[], %b::text[]);

-- name: handle
INSERT INTO inbox (stream, command_id, refusal) SELECT * FROM unnest(%b::bigint[], %b::text[], %b::text[]);

-- name: clear_alarms
DELETE FROM alarms USING unnest(%b::bigint[], %b::text[]) AS given (number, called)
WHERE stream = number AND name = called;

-- name: set_alarms
INSERT INTO alarms (stream, name, generation, due)
SELECT * FROM unnest(%b::bigint[], %b::text[], %b::integer[], %b::bigint[])
ON CONFLICT (stream, name) DO UPDATE SET generation = excluded.generation, due = excluded.due;

-- name: drop_records
DELETE FROM records USING unnest(%b::text[], %b::text[], %b::text[], %b::text[]) AS given (enterprise, team, sort, called)
WHERE enterprise_id = enterprise AND team_id = team AND kind = sort AND key = called;

-- name: put_records
INSERT INTO records (enterprise_id, team_id, kind, key, value)
SELECT * FROM unnest(%b::text[], %b::text[], %b::text[], %b::text[], %b::text[])
ON CONFLICT (enterprise_id, team_id, kind, key) DO UPDATE SET value = excluded.value;

-- name: erase
UPDATE events SET private = NULL, salt = NULL
FROM unnest(%b::bigint[], %b::integer[]) AS given (number, nth) WHERE stream = number AND seq = nth;

-- name: reword
UPDATE events SET public = said, private = hidden, salt = grain, digest = sum, chain = link
FROM unnest(%b::bigint[], %b::integer[], %b::text[], %b::text[], %b::bytea[], %b::bytea[], %b::bytea[])
    AS given (number, nth, said, hidden, grain, sum, link)
WHERE stream = number AND seq = nth;

-- name: refusals_of_stream
SELECT command_id, refusal FROM inbox WHERE stream = %s AND refusal IS NOT NULL;

-- name: word_refusals
UPDATE inbox SET refusal = said FROM unnest(%b::bigint[], %b::text[], %b::text[]) AS given (number, command, said)
WHERE stream = number AND command_id = command;

-- name: advance_streams
UPDATE streams SET version = at_version, revision = at_revision, chain = link, is_open = opened, stalled_at = stalled,
    outbox = cell, owes = owing, parked = waiting
FROM unnest(%b::bigint[], %b::integer[], %b::bigint[], %b::bytea[], %b::boolean[], %b::bigint[], %b::text[],
    %b::boolean[], %b::integer[])
    AS given (number, at_version, at_revision, link, opened, stalled, cell, owing, waiting)
WHERE id = number;

-- name: write_outboxes
UPDATE streams SET outbox = cell, owes = owing, parked = waiting
FROM unnest(%b::bigint[], %b::text[], %b::boolean[], %b::integer[]) AS given (number, cell, owing, waiting)
WHERE id = number;

-- name: lock_positions
SELECT pg_advisory_xact_lock(%s, hashtext(current_schema()));

-- Positions are given one after another by whoever holds the lock, and this statement sees all that earlier holders gave.

-- name: append_events
WITH base AS (
    SELECT greatest(position, coalesce((SELECT max(position) FROM events), 0)) AS last FROM purged WHERE id = 1
), appended AS (
    INSERT INTO events (position, stream, seq, event_type, at, public, private, salt, private_digest, digest, chain)
    SELECT last + nth, number, seq, event_type, at, public, private, salt, private_digest, digest, chain
    FROM base, unnest(%b::bigint[], %b::integer[], %b::text[], %b::bigint[], %b::text[], %b::text[], %b::bytea[],
        %b::bytea[], %b::bytea[], %b::bytea[]) WITH ORDINALITY
        AS given (number, seq, event_type, at, public, private, salt, private_digest, digest, chain, nth)
)
UPDATE streams SET version = at_version, revision = at_revision, chain = link, is_open = opened, stalled_at = stalled,
    outbox = cell, owes = owing, parked = waiting, unshown = coalesce(unshown, last + first)
FROM base, unnest(%b::bigint[], %b::integer[], %b::bigint[], %b::bytea[], %b::boolean[], %b::bigint[], %b::text[],
    %b::boolean[], %b::integer[], %b::bigint[])
    AS given (number, at_version, at_revision, link, opened, stalled, cell, owing, waiting, first)
WHERE id = number;

-- name: mark_shown
UPDATE streams
SET shown = least(seen, version),
    unshown = (SELECT position FROM events WHERE events.stream = streams.id AND seq = least(seen, version) + 1)
FROM unnest(%b::bigint[], %b::integer[]) AS given (number, seen) WHERE id = number AND seen > shown;

-- name: find_stream
SELECT id, version, chain, protocol, stalled_at, outbox, revision
FROM streams WHERE enterprise_id = %s AND team_id = %s AND stream = %s;

-- name: revisions
SELECT enterprise_id, team_id, streams.stream, revision
FROM unnest(%b::text[], %b::text[], %b::text[]) AS given (enterprise, team, name)
    JOIN streams ON enterprise_id = enterprise AND team_id = team AND streams.stream = name;

-- name: events_of_stream
SELECT position, seq, event_type, at, public, private, salt, private_digest, digest, events.chain
FROM events JOIN streams ON streams.id = events.stream
WHERE enterprise_id = %s AND team_id = %s AND streams.stream = %s ORDER BY seq;

-- name: commands_of_stream
SELECT command_id, refusal FROM inbox JOIN streams ON streams.id = inbox.stream
WHERE enterprise_id = %s AND team_id = %s AND streams.stream = %s;

-- name: alarms_of_stream
SELECT name, generation, due FROM alarms JOIN streams ON streams.id = alarms.stream
WHERE enterprise_id = %s AND team_id = %s AND streams.stream = %s ORDER BY name;

-- name: streams_called
SELECT enterprise_id, team_id FROM streams WHERE stream = %s ORDER BY enterprise_id, team_id;

-- name: streams
SELECT enterprise_id, team_id, stream FROM streams ORDER BY id;

-- name: owing_streams
SELECT id, enterprise_id, team_id, stream, outbox FROM streams WHERE owes AND id > %s ORDER BY id LIMIT %s;

-- name: due
SELECT enterprise_id, team_id, streams.stream, name, generation, due
FROM alarms JOIN streams ON streams.id = alarms.stream
WHERE due <= %s ORDER BY due, alarms.stream, name LIMIT %s;

-- name: next_due
SELECT min(due) FROM alarms;

-- name: stalled
SELECT enterprise_id, team_id, stream, version, stalled_at FROM streams
WHERE stalled_at <= %s ORDER BY stalled_at LIMIT %s;

-- name: last_position
SELECT greatest(position, coalesce((SELECT max(position) FROM events), 0)) FROM purged WHERE id = 1;

-- name: events_of_tenant
SELECT streams.stream, position, seq, event_type, at, public, private, private_digest
FROM events JOIN streams ON streams.id = events.stream
WHERE position > %s AND position <= %s AND enterprise_id = %s AND team_id = %s
ORDER BY position LIMIT %s;

-- name: lagging
SELECT enterprise_id, team_id, stream, version, shown FROM streams
WHERE unshown IS NOT NULL ORDER BY unshown LIMIT %s;

-- name: tenant_after
SELECT enterprise_id, team_id FROM records
WHERE (enterprise_id, team_id) > (%s, %s) ORDER BY enterprise_id, team_id LIMIT 1;

-- name: records
SELECT key, value FROM records
WHERE enterprise_id = %s AND team_id = %s AND kind = %s AND key >= %s AND (%s::text IS NULL OR key < %s)
    AND (%s::text IS NULL OR key > %s) ORDER BY key LIMIT %s;

-- name: records_backwards
SELECT key, value FROM records
WHERE enterprise_id = %s AND team_id = %s AND kind = %s AND key >= %s AND (%s::text IS NULL OR key < %s)
    AND (%s::text IS NULL OR key < %s) ORDER BY key DESC LIMIT %s;

-- Streams are counted one by one: where there are very many, what PostgreSQL believes is near enough.

-- name: count_streams
SELECT CASE WHEN reltuples > 1000000 THEN reltuples::bigint ELSE (SELECT count(*) FROM streams) END
FROM pg_class WHERE oid = 'streams'::regclass;

-- name: count_open
SELECT count(*) FROM streams WHERE is_open;

-- name: count_open_of_tenant
SELECT count(*) FROM (
    SELECT 1 FROM streams WHERE is_open AND enterprise_id = %s AND team_id = %s LIMIT %s
) AS open;

-- Positions are given one after another, so that no event has to be counted.

-- name: count_events
SELECT greatest(position, coalesce((SELECT max(position) FROM events), 0)) - events FROM purged WHERE id = 1;

-- name: owing_cells
SELECT outbox FROM streams WHERE owes;

-- name: count_parked
SELECT coalesce(sum(parked), 0)::bigint FROM streams WHERE parked > 0;

-- name: count_alarms
SELECT count(*) FROM alarms;

-- name: streams_of_tenant
SELECT id FROM streams WHERE enterprise_id = %s AND team_id = %s ORDER BY id LIMIT %s FOR UPDATE;

-- One alarm of each stream is looked for: for an EXISTS, PostgreSQL would read all that are set, at each page.

-- name: standings
SELECT stream, protocol, version,
    NOT (is_open OR owes OR unshown IS NOT NULL)
        AND (SELECT name FROM alarms WHERE alarms.stream = streams.id LIMIT 1) IS NULL,
    coalesce((SELECT at FROM events WHERE events.stream = streams.id AND seq = version), 0)
FROM streams WHERE enterprise_id = %s AND team_id = %s AND stream > %s ORDER BY stream LIMIT %s;

-- name: record_places
SELECT kind, key FROM records
WHERE enterprise_id = %s AND team_id = %s AND (kind, key) > (%s, %s) ORDER BY kind, key LIMIT %s;

-- name: settled_streams
SELECT id FROM streams JOIN unnest(%b::text[], %b::integer[]) AS given (name, nth) ON stream = name AND version = nth
WHERE enterprise_id = %b AND team_id = %b AND NOT is_open AND NOT owes AND unshown IS NULL
    AND NOT EXISTS (SELECT 1 FROM alarms WHERE alarms.stream = streams.id)
ORDER BY id FOR UPDATE OF streams;

-- name: remember_purged
UPDATE purged
SET position = greatest(position, coalesce((SELECT max(events.position) FROM events), 0)), events = events + %s
WHERE id = 1;

-- name: purge_events
DELETE FROM events WHERE stream = ANY (%s);

-- name: purge_inbox
DELETE FROM inbox WHERE stream = ANY (%s);

-- name: purge_alarms
DELETE FROM alarms WHERE stream = ANY (%s);

-- name: purge_streams
DELETE FROM streams WHERE id = ANY (%s);

-- name: purge_records
DELETE FROM records WHERE (enterprise_id, team_id, kind, key) IN (
    SELECT enterprise_id, team_id, kind, key FROM records WHERE enterprise_id = %s AND team_id = %s LIMIT %s
);

-- name: purge_held
DELETE FROM held WHERE enterprise_id = %s AND team_id = %s;

-- name: purge_booked
DELETE FROM booked WHERE enterprise_id = %s AND team_id = %s;

-- name: purge_spent
DELETE FROM spent WHERE enterprise_id = %s AND team_id = %s;

-- name: purge_reserved
DELETE FROM reserved WHERE enterprise_id = %s AND team_id = %s;

-- What the processes agree by, see sharing.py.

-- name: forget_members
DELETE FROM members
WHERE until < extract(epoch FROM clock_timestamp()) * 1000 - %s AND NOT EXISTS (SELECT 1 FROM held WHERE member = name);

-- name: join_members
INSERT INTO members (name, until) VALUES (%s, extract(epoch FROM clock_timestamp()) * 1000 + %s);

-- name: stay_member
UPDATE members SET until = extract(epoch FROM clock_timestamp()) * 1000 + %s
WHERE name = %s AND until > extract(epoch FROM clock_timestamp()) * 1000;

-- name: end_member
UPDATE members SET until = 0 WHERE name = %s;

-- name: tell_asked
UPDATE held SET is_asked_for = false WHERE member = %s AND is_asked_for RETURNING enterprise_id, team_id, stream;

-- name: is_member
SELECT 1 FROM members WHERE name = %s AND until > extract(epoch FROM clock_timestamp()) * 1000 FOR SHARE;

-- name: hold
INSERT INTO held (enterprise_id, team_id, stream, member) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING;

-- name: holder
SELECT member, is_asked_for FROM held WHERE enterprise_id = %s AND team_id = %s AND stream = %s FOR UPDATE;

-- name: end_member_if_over
UPDATE members SET until = 0 WHERE name = %s AND until <= extract(epoch FROM clock_timestamp()) * 1000;

-- name: has_member
SELECT 1 FROM members WHERE name = %s;

-- name: succeed
UPDATE held SET member = %s, is_asked_for = false WHERE enterprise_id = %s AND team_id = %s AND stream = %s;

-- name: ask_for
UPDATE held SET is_asked_for = %s WHERE enterprise_id = %s AND team_id = %s AND stream = %s;

-- name: let_go
DELETE FROM held WHERE enterprise_id = %s AND team_id = %s AND stream = %s;

-- name: orphans
SELECT enterprise_id, team_id, stream FROM held
WHERE member NOT IN (SELECT name FROM members WHERE until > extract(epoch FROM clock_timestamp()) * 1000) LIMIT %s;

-- name: book
WITH clock AS (SELECT extract(epoch FROM statement_timestamp())::double precision * 1000 AS now)
INSERT INTO booked AS b (enterprise_id, team_id, line, until)
SELECT %(enterprise)s, %(team)s, %(line)s, now + %(after)s + %(turns)s FROM clock
ON CONFLICT (enterprise_id, team_id, line)
    DO UPDATE SET until = greatest(b.until + %(turns)s, excluded.until)
RETURNING until - %(turns)s - (SELECT now FROM clock);

-- name: news
SELECT enterprise_id, team_id, streams.stream, position FROM events JOIN streams ON streams.id = events.stream
WHERE position > %s ORDER BY position LIMIT %s;

-- name: forget_reserved
DELETE FROM reserved WHERE member NOT IN (SELECT name FROM members);

-- name: open_purses
INSERT INTO spent (enterprise_id, team_id, purse)
SELECT * FROM unnest(%b::text[], %b::text[], %b::text[]) ON CONFLICT DO NOTHING;

-- name: lock_purses
SELECT enterprise_id, team_id, purse, coalesce(amount, 0)
FROM spent JOIN unnest(%b::text[], %b::text[], %b::text[]) AS given (enterprise, team, called)
    ON enterprise_id = enterprise AND team_id = team AND purse = called
ORDER BY enterprise_id, team_id, purse FOR UPDATE OF spent;

-- name: reserved
SELECT enterprise_id, team_id, purse, sum(amount)
FROM reserved JOIN unnest(%b::text[], %b::text[], %b::text[]) AS given (enterprise, team, called)
    ON enterprise_id = enterprise AND team_id = team AND purse = called
    JOIN members ON members.name = member
WHERE until > extract(epoch FROM clock_timestamp()) * 1000
GROUP BY enterprise_id, team_id, purse;

-- name: reserve
INSERT INTO reserved AS r (enterprise_id, team_id, purse, member, amount)
SELECT enterprise, team, called, %s::text, %s::numeric
FROM unnest(%b::text[], %b::text[], %b::text[]) AS given (enterprise, team, called)
ON CONFLICT (enterprise_id, team_id, purse, member) DO UPDATE SET amount = r.amount + excluded.amount;

-- name: unreserve
UPDATE reserved SET amount = greatest(amount - %s::numeric, 0)
FROM unnest(%b::text[], %b::text[], %b::text[]) AS given (enterprise, team, called)
WHERE enterprise_id = enterprise AND team_id = team AND purse = called AND member = %s;

-- name: spend
UPDATE spent SET amount = coalesce(amount, 0) + %s::numeric
FROM unnest(%b::text[], %b::text[], %b::text[]) AS given (enterprise, team, called)
WHERE enterprise_id = enterprise AND team_id = team AND purse = called;

-- name: fill_in
INSERT INTO spent AS s (enterprise_id, team_id, purse, amount) VALUES (%s, %s, %s, %s)
ON CONFLICT (enterprise_id, team_id, purse) DO UPDATE SET amount = excluded.amount WHERE s.amount IS NULL;

-- name: forget_booked
DELETE FROM booked WHERE until < extract(epoch FROM clock_timestamp()) * 1000 - %s;

-- name: forget_reserved_of_days
DELETE FROM reserved WHERE split_part(purse, '/', 2) <> '' AND split_part(purse, '/', 2) < %s;

-- name: forget_spent
DELETE FROM spent WHERE split_part(purse, '/', 2) <> '' AND split_part(purse, '/', 2) < %s;

-- name: forget_spent_of_ended
DELETE FROM spent USING streams JOIN events ON events.stream = streams.id AND seq = version
WHERE streams.enterprise_id = spent.enterprise_id AND streams.team_id = spent.team_id
    AND split_part(purse, '/', 2) = '' AND streams.stream = substring(purse FROM '^[^/]*//(.*)$')
    AND NOT is_open AND at < %s;
