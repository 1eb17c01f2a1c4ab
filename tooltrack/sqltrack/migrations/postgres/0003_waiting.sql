-- What waits for people: approvals, standing grants and paused turns.
CREATE TABLE bonafide_waiting (
    owner        TEXT COLLATE "C" NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    conversation TEXT COLLATE "C" NOT NULL,
    task         TEXT COLLATE "C" NOT NULL,
    turn         TEXT COLLATE "C" NOT NULL,
    is_open      SMALLINT NOT NULL, -- 1 while something is still to come of it
    written      BIGINT NOT NULL, -- milliseconds since 1970 by the database's clock, when it was first written
    data         BYTEA NOT NULL,   -- JSON
    PRIMARY KEY (owner, kind, id)
);

CREATE INDEX bonafide_waiting_open ON bonafide_waiting (kind, owner, written) WHERE is_open = 1;
CREATE INDEX bonafide_waiting_turn ON bonafide_waiting (owner, turn);
