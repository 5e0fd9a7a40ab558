-- Version 2: what the processes that use the store at once agree by, see sharing.py.

CREATE TABLE members (
    name  text COLLATE "C" PRIMARY KEY,
    until double precision NOT NULL             -- UTC epoch milliseconds by this server's clock; 0 once it is over for good
);

CREATE TABLE held (
    enterprise_id text COLLATE "C" NOT NULL,
    team_id       text COLLATE "C" NOT NULL,
    stream        text COLLATE "C" NOT NULL,    -- or a name beside the streams
    member        text COLLATE "C" NOT NULL,
    is_asked_for  boolean NOT NULL DEFAULT false,
    PRIMARY KEY (enterprise_id, team_id, stream)
);

CREATE INDEX held_by ON held (member);

CREATE TABLE booked (
    enterprise_id text COLLATE "C" NOT NULL,
    team_id       text COLLATE "C" NOT NULL,
    line          text COLLATE "C" NOT NULL,
    until         double precision NOT NULL,    -- until when its turns are booked
    PRIMARY KEY (enterprise_id, team_id, line)
);

CREATE TABLE spent (
    enterprise_id text COLLATE "C" NOT NULL,
    team_id       text COLLATE "C" NOT NULL,
    purse         text COLLATE "C" NOT NULL,
    amount        numeric,                      -- NULL while nobody has said what was spent before
    PRIMARY KEY (enterprise_id, team_id, purse)
);

CREATE TABLE reserved (
    enterprise_id text COLLATE "C" NOT NULL,
    team_id       text COLLATE "C" NOT NULL,
    purse         text COLLATE "C" NOT NULL,
    member        text COLLATE "C" NOT NULL,
    amount        numeric NOT NULL,
    PRIMARY KEY (enterprise_id, team_id, purse, member)
);

UPDATE towow_schema SET version = 2;
