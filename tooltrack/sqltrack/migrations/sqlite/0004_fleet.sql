-- What replicas share beside the records: rates, what owners have spent, and which records
-- must stay or are gone.
CREATE TABLE bonafide_limits (
    owner   TEXT NOT NULL,
    tool    TEXT NOT NULL,
    until   INTEGER NOT NULL,   -- microseconds since 1970: when the allowance is full again
    granted INTEGER NOT NULL, -- 1 if the last one who asked was let through
    PRIMARY KEY (owner, tool)
) WITHOUT ROWID;

CREATE TABLE bonafide_spent (
    owner  TEXT NOT NULL,
    turn   TEXT NOT NULL, -- empty for the sum of the day
    day    INTEGER NOT NULL, -- since 1970, by the database's clock
    tokens INTEGER NOT NULL,
    money  INTEGER NOT NULL, -- millionths
    PRIMARY KEY (owner, turn, day)
) WITHOUT ROWID;

CREATE TABLE bonafide_kept (
    owner        TEXT NOT NULL,
    conversation TEXT NOT NULL, -- empty for all of them
    reason       TEXT NOT NULL,
    since        INTEGER NOT NULL, -- milliseconds since 1970 by the database's clock
    PRIMARY KEY (owner, conversation)
) WITHOUT ROWID;

CREATE TABLE bonafide_removals (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    at        INTEGER NOT NULL, -- milliseconds since 1970 by the database's clock
    action    TEXT NOT NULL,   -- prune, erase, keep or release
    owner     TEXT NOT NULL,   -- a digest, since the name itself may have to be forgotten
    before    INTEGER NOT NULL, -- milliseconds since 1970; 0 where age did not matter
    records   INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    reason    TEXT NOT NULL
);
