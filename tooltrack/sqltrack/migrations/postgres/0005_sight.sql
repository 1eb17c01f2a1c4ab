-- What a read-back of a change showed, for those who count: confirmed, contradicted or not
-- confirmed; empty where none was made. What was found stands in detail.
ALTER TABLE bonafide_records ADD COLUMN sight TEXT NOT NULL DEFAULT '';
