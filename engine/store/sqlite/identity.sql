-- Version 5: which database this is, and how often the log was put into its file; see identity.py.

CREATE TABLE identity (mark TEXT NOT NULL) STRICT;

INSERT INTO identity (mark) VALUES (lower(hex(randomblob(16))) || '.0');
