-- Version 4: what somebody may still answer in a stream is one row, and not one for each seat.

INSERT OR REPLACE INTO records (enterprise_id, team_id, kind, key, value)
SELECT enterprise_id, team_id, kind, substr(key, 1, instr(key, '/')) || json_extract(value, '$.stream'), json_object(
    'stream', json_extract(value, '$.stream'),
    'agent_ids', json_group_array(json_extract(value, '$.agent_id'))
)
FROM (SELECT * FROM records WHERE kind = 'open_offer' ORDER BY key) GROUP BY 1, 2, 3, 4;

INSERT OR REPLACE INTO records (enterprise_id, team_id, kind, key, value)
SELECT enterprise_id, team_id, kind, substr(key, 1, instr(key, '/')) || json_extract(value, '$.stream'), json_object(
    'stream', json_extract(value, '$.stream'),
    'round', max(json_extract(value, '$.round')),
    'agent_ids', json_group_array(json_extract(value, '$.agent_id'))
)
FROM (SELECT * FROM records WHERE kind = 'open_vote' ORDER BY key) GROUP BY 1, 2, 3, 4;

DELETE FROM records WHERE kind IN ('open_offer', 'open_vote') AND json_extract(value, '$.agent_id') IS NOT NULL;
