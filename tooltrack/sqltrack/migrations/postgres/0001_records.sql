CREATE TABLE bonafide_owners (
    owner  TEXT COLLATE "C" PRIMARY KEY,
    seq    BIGINT NOT NULL,
    cursor BIGINT NOT NULL
);

CREATE TABLE bonafide_records (
    owner        TEXT COLLATE "C" NOT NULL,
    seq          BIGINT NOT NULL,
    cursor       BIGINT,
    conversation TEXT COLLATE "C" NOT NULL,
    task         TEXT COLLATE "C" NOT NULL,
    turn         TEXT COLLATE "C" NOT NULL,
    call_id      TEXT NOT NULL,
    tool         TEXT NOT NULL,
    args         BYTEA,
    effect       SMALLINT NOT NULL,
    denied       SMALLINT NOT NULL,
    rewritten    BYTEA,
    status       SMALLINT NOT NULL,
    data         BYTEA,
    call_key     TEXT COLLATE "C" NOT NULL,
    digest       TEXT NOT NULL,
    key_turn     TEXT COLLATE "C" NOT NULL, -- the turn the key holds in; empty for a host key
    occurrence   BIGINT NOT NULL,
    attempt      BIGINT NOT NULL,
    began        BIGINT NOT NULL, -- nanoseconds since 1970
    finished     BIGINT NOT NULL, -- 0 until then
    detail       BYTEA NOT NULL,  -- JSON: what is never searched for
    PRIMARY KEY (owner, seq)
);

CREATE UNIQUE INDEX bonafide_records_key ON bonafide_records (owner, key_turn, call_key, occurrence, attempt) WHERE call_key <> '';
CREATE INDEX bonafide_records_turn ON bonafide_records (owner, turn, seq);
CREATE INDEX bonafide_records_conversation ON bonafide_records (owner, conversation, seq) WHERE conversation <> '';
CREATE INDEX bonafide_records_task ON bonafide_records (owner, task, seq) WHERE task <> '';
CREATE UNIQUE INDEX bonafide_records_cursor ON bonafide_records (owner, cursor) WHERE cursor IS NOT NULL;
