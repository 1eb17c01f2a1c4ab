CREATE TABLE bonafide_owners (
    owner  TEXT PRIMARY KEY,
    seq    INTEGER NOT NULL,
    cursor INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE bonafide_records (
    owner        TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    cursor       INTEGER,
    conversation TEXT NOT NULL,
    task         TEXT NOT NULL,
    turn         TEXT NOT NULL,
    call_id      TEXT NOT NULL,
    tool         TEXT NOT NULL,
    args         BLOB,
    effect       INTEGER NOT NULL,
    denied       INTEGER NOT NULL,
    rewritten    BLOB,
    status       INTEGER NOT NULL,
    data         BLOB,
    call_key     TEXT NOT NULL,
    digest       TEXT NOT NULL,
    key_turn     TEXT NOT NULL, -- the turn the key holds in; empty for a host key
    occurrence   INTEGER NOT NULL,
    attempt      INTEGER NOT NULL,
    began        INTEGER NOT NULL, -- nanoseconds since 1970
    finished     INTEGER NOT NULL, -- 0 until then
    detail       BLOB NOT NULL,    -- JSON: what is never searched for
    PRIMARY KEY (owner, seq)
) WITHOUT ROWID;

CREATE UNIQUE INDEX bonafide_records_key ON bonafide_records (owner, key_turn, call_key, occurrence, attempt) WHERE call_key <> '';
CREATE INDEX bonafide_records_turn ON bonafide_records (owner, turn, seq);
CREATE INDEX bonafide_records_conversation ON bonafide_records (owner, conversation, seq) WHERE conversation <> '';
CREATE INDEX bonafide_records_task ON bonafide_records (owner, task, seq) WHERE task <> '';
CREATE UNIQUE INDEX bonafide_records_cursor ON bonafide_records (owner, cursor) WHERE cursor IS NOT NULL;
