-- What replicas share beside the records: rates, what owners have spent, and which records
-- must stay or are gone.
CREATE TABLE bonafide_limits (
    owner   TEXT COLLATE "C" NOT NULL,
    tool    TEXT COLLATE "C" NOT NULL,
    until   BIGINT NOT NULL,   -- microseconds since 1970: when the allowance is full again
    granted SMALLINT NOT NULL, -- 1 if the last one who asked was let through
    PRIMARY KEY (owner, tool)
);

CREATE TABLE bonafide_spent (
    owner  TEXT COLLATE "C" NOT NULL,
    turn   TEXT COLLATE "C" NOT NULL, -- empty for the sum of the day
    day    BIGINT NOT NULL, -- since 1970, by the database's clock
    tokens BIGINT NOT NULL,
    money  BIGINT NOT NULL, -- millionths
    PRIMARY KEY (owner, turn, day)
);

CREATE TABLE bonafide_kept (
    owner        TEXT COLLATE "C" NOT NULL,
    conversation TEXT COLLATE "C" NOT NULL, -- empty for all of them
    reason       TEXT NOT NULL,
    since        BIGINT NOT NULL, -- milliseconds since 1970 by the database's clock
    PRIMARY KEY (owner, conversation)
);

CREATE TABLE bonafide_removals (
    id        BIGSERIAL PRIMARY KEY,
    at        BIGINT NOT NULL, -- milliseconds since 1970 by the database's clock
    action    TEXT NOT NULL,   -- prune, erase, keep or release
    owner     TEXT NOT NULL,   -- a digest, since the name itself may have to be forgotten
    before    BIGINT NOT NULL, -- milliseconds since 1970; 0 where age did not matter
    records   BIGINT NOT NULL,
    documents BIGINT NOT NULL,
    reason    TEXT NOT NULL
);
