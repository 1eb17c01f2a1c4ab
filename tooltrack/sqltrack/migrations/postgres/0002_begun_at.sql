-- When a call was begun by the database's clock, in milliseconds since 1970.
ALTER TABLE bonafide_records ADD COLUMN begun_at BIGINT NOT NULL DEFAULT 0;
UPDATE bonafide_records SET begun_at = began / 1000000;
