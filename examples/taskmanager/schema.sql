-- Times are RFC 3339 text in UTC: it sorts, and both products keep it as it is.
CREATE TABLE IF NOT EXISTS users (
	user_id    TEXT PRIMARY KEY,
	created_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS tasks (
	seq         {{serial}},
	id          TEXT NOT NULL UNIQUE,
	user_id     TEXT NOT NULL,
	title       TEXT NOT NULL CHECK (title <> ''),
	description TEXT NOT NULL,
	status      TEXT NOT NULL CHECK (status IN ('pending', 'completed')),
	priority    TEXT NOT NULL CHECK (priority IN ('low', 'medium', 'high')),
	due_date    TEXT,
	created_at  TEXT NOT NULL,
	updated_at  TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS tasks_by_user ON tasks (user_id, seq);
CREATE TABLE IF NOT EXISTS conversations (
	id         TEXT PRIMARY KEY,
	user_id    TEXT NOT NULL,
	created_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS messages (
	seq                {{serial}},
	id                 TEXT NOT NULL UNIQUE,
	conversation_id    TEXT NOT NULL REFERENCES conversations (id),
	role               TEXT NOT NULL,
	content            TEXT NOT NULL,
	tool_call_metadata TEXT,
	created_at         TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS messages_by_conversation ON messages (conversation_id, seq);
CREATE TABLE IF NOT EXISTS turns (
	user_id         TEXT NOT NULL,
	turn            TEXT NOT NULL,
	digest          TEXT NOT NULL,
	conversation_id TEXT NOT NULL,
	started_at      TEXT NOT NULL,
	response        TEXT,
	PRIMARY KEY (user_id, turn)
);
