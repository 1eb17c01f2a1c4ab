package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// library is the example's database: the pages that were read, cut into chunks,
// the notes of each user, and the namespaces that they may write to.
type library struct {
	db     *sql.DB
	offers atomic.Int64 // how often a page was offered, ingested or not
}

const tables = `
CREATE TABLE namespaces (owner TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (owner, name));
CREATE TABLE pages      (url TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (url, digest));
CREATE TABLE chunks     (id TEXT PRIMARY KEY, url TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE notes      (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, namespace TEXT NOT NULL, content TEXT NOT NULL);
`

func newLibrary(ctx context.Context) (*library, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	if _, err := db.ExecContext(ctx, tables); err != nil {
		return nil, errors.Join(fmt.Errorf("preparing the tables: %w", err), db.Close())
	}
	return &library{db: db}, nil
}

// Close forgets everything.
func (l *library) Close() error { return l.db.Close() }

// allow lets an owner write to a namespace.
func (l *library) allow(ctx context.Context, owner string, names ...string) error {
	for _, name := range names {
		const allow = `INSERT INTO namespaces VALUES (?, ?) ON CONFLICT DO NOTHING`
		if _, err := l.db.ExecContext(ctx, allow, owner, name); err != nil {
			return err
		}
	}
	return nil
}

// allowed reports whether an owner may write to a namespace.
func (l *library) allowed(ctx context.Context, owner, namespace string) (bool, error) {
	var found int
	const count = `SELECT count(*) FROM namespaces WHERE owner = ? AND name = ?`
	err := l.db.QueryRowContext(ctx, count, owner, namespace).Scan(&found)
	return found > 0, err
}

// ingest takes a page in, unless the same page with the same content is there
// already: whoever offers it, and however often, it is taken in once.
func (l *library) ingest(ctx context.Context, address, content string) (fresh bool, err error) {
	l.offers.Add(1)
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	result, err := tx.ExecContext(ctx, `INSERT INTO pages VALUES (?, ?) ON CONFLICT DO NOTHING`, address, digest(content))
	if err != nil {
		return false, err
	}
	added, err := result.RowsAffected()
	if err != nil {
		return false, err
	}
	if added > 0 {
		for i, chunk := range strings.Split(content, "\n\n") {
			const put = `INSERT INTO chunks VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET content = excluded.content`
			if _, err = tx.ExecContext(ctx, put, chunkID(address, i), address, chunk); err != nil {
				return false, err
			}
		}
	}
	return added > 0, tx.Commit()
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// chunkID names a paragraph of a page.
func chunkID(address string, paragraph int) string {
	return fmt.Sprintf("page-%s-%d", digest(address)[:12], paragraph)
}

// ingested is how many pages were taken in.
func (l *library) ingested(ctx context.Context) (n int, err error) {
	err = l.db.QueryRowContext(ctx, `SELECT count(*) FROM pages`).Scan(&n)
	return n, err
}

var errNoChunk = errors.New("there is no chunk with this id; use an id that web_access or memory_query has returned")

func (l *library) chunk(ctx context.Context, id string) (address, content string, err error) {
	err = l.db.QueryRowContext(ctx, `SELECT url, content FROM chunks WHERE id = ?`, id).Scan(&address, &content)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", errNoChunk
	}
	return address, content, err
}

func (l *library) note(ctx context.Context, owner, namespace, content string) error {
	const put = `INSERT INTO notes (owner, namespace, content) VALUES (?, ?, ?)`
	_, err := l.db.ExecContext(ctx, put, owner, namespace, content)
	return err
}

// hit is something that fits a query.
type hit struct {
	ID      string `json:"chunk_id,omitempty"`
	Content string `json:"content"`
	score   int
}

// find ranks the owner's notes and the chunks of all pages by the words that
// they share with a query.
func (l *library) find(ctx context.Context, owner, query string, most int) ([]hit, error) {
	rows, err := l.db.QueryContext(ctx,
		`SELECT '', content FROM notes WHERE owner = ? UNION ALL SELECT id, content FROM chunks`, owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := []hit{}
	for rows.Next() {
		var h hit
		if err := rows.Scan(&h.ID, &h.Content); err != nil {
			return nil, err
		}
		if h.score = shared(query, h.Content); h.score > 0 {
			found = append(found, h)
		}
	}
	slices.SortStableFunc(found, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return found[:min(most, len(found))], rows.Err()
}

// shared is how many words of the query a text holds.
func shared(query, text string) int {
	held := words(text)
	n := 0
	for word := range words(query) {
		if held[word] {
			n++
		}
	}
	return n
}

// words are the words of a text that say something, in lower case.
func words(text string) map[string]bool {
	found := map[string]bool{}
	between := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	for _, word := range strings.FieldsFunc(strings.ToLower(text), between) {
		if len(word) > 3 {
			found[word] = true
		}
	}
	return found
}
