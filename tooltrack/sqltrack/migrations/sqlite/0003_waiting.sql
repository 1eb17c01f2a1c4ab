-- What waits for people: approvals, standing grants and paused turns.
CREATE TABLE bonafide_waiting (
    owner        TEXT NOT NULL,
    kind         TEXT NOT NULL,
    id           TEXT NOT NULL,
    conversation TEXT NOT NULL,
    task         TEXT NOT NULL,
    turn         TEXT NOT NULL,
    is_open      INTEGER NOT NULL, -- 1 while something is still to come of it
    written      INTEGER NOT NULL, -- milliseconds since 1970 by the database's clock, when it was first written
    data         BLOB NOT NULL,    -- JSON
    PRIMARY KEY (owner, kind, id)
) WITHOUT ROWID;

CREATE INDEX bonafide_waiting_open ON bonafide_waiting (kind, owner, written) WHERE is_open = 1;
CREATE INDEX bonafide_waiting_turn ON bonafide_waiting (owner, turn);
