package resolver

import (
	"context"
	"errors"
	"testing"
)

func TestRedact(t *testing.T) {
	const (
		book  = "7f3c0a52-5f6e-4b0e-9d3a-0c8f4f1f2a11"
		ghost = "00000000-1111-4222-8333-444444444444"
	)
	entries := []Entry{
		{ID: book, Title: "Read book"}, {ID: "42", Title: "Buy milk"}, {ID: "task-17", Title: `Say "hi"`}, {ID: "home", Title: "Clean"},
		{ID: "tasks/17@x", Title: "Odd one"}, {ID: "ORD-2024-00017", Title: "Order"},
	}
	cases := []struct{ name, text, want string }{
		{"an id becomes its title", "I deleted " + book + ".", `I deleted "Read book".`},
		{"at the beginning and at the end", book + " and " + book, `"Read book" and "Read book"`},
		{"the title stands before it", "I deleted Read book (" + book + ").", "I deleted Read book."},
		{"with a label", "I deleted Read book (ID: " + book + ").", "I deleted Read book."},
		{"quoted, with a label", `Deleted "Read book" [id=` + book + "]!", `Deleted "Read book"!`},
		{"bold", "Deleted **Read book** (" + book + ")", "Deleted **Read book**"},
		{"a label goes with it", "Deleted task with ID " + book + " today", `Deleted task with "Read book" today`},
		{"an unknown UUID is dropped", "No task " + ghost + " exists", "No task exists"},
		{"with its brackets", "Not found (id: " + ghost + ").", "Not found."},
		{"at the end", "Not found: " + ghost, "Not found:"},
		{"JSON stays JSON", `{"id":"task-17","n":1}`, `{"id":"Say \"hi\"","n":1}`},
		{"a plain number is no id", "due in 42 days", "due in 42 days"},
		{"a labelled number is one", "updated id: 42", `updated "Buy milk"`},
		{"task_id", "task_id=42 done", `"Buy milk" done`},
		{"a word is no id", "go home", "go home"},
		{"part of a longer word", "x" + book, "x" + book},
		{"upper case is another id", "TASK-17", "TASK-17"},
		{"a sentence ends", "It was task-17.", `It was "Say "hi"".`},
		{"nothing to do", "All done, nothing left.", "All done, nothing left."},
		{"empty", "", ""},
		{"an id with a slash", "see tasks/17@x.", `see "Odd one".`},
		{"slashes between words", "and/or task-17/task-17", `and/or "Say "hi""/"Say "hi""`},
		{"no spaces around it", "已完成task-17的任务", `已完成"Say "hi""的任务`},
		{"without hyphens", "I deleted 7f3c0a525f6e4b0e9d3a0c8f4f1f2a11.", `I deleted "Read book".`},
		{"in capitals", "I deleted 7F3C0A52-5F6E-4B0E-9D3A-0C8F4F1F2A11.", `I deleted "Read book".`},
		{"in capitals without hyphens", "I deleted 7F3C0A525F6E4B0E9D3A0C8F4F1F2A11.", `I deleted "Read book".`},
		{"with hyphens that do not break", "I deleted 7f3c0a52‑5f6e‑4b0e‑9d3a‑0c8f4f1f2a11.", `I deleted "Read book".`},
		{"with dashes", "I deleted 7f3c0a52–5f6e–4b0e–9d3a–0c8f4f1f2a11 – done", `I deleted "Read book" – done`},
		{"with minus signs", "7f3c0a52−5f6e−4b0e−9d3a−0c8f4f1f2a11", `"Read book"`},
		{"from a URL", "see /tasks/7f3c0a52%2D5f6e%2d4b0e%2D9d3a%2D0c8f4f1f2a11 now", `see /tasks/"Read book" now`},
		{"an unknown UUID in another spelling", "No task 00000000‑1111‑4222‑8333‑444444444444 exists", "No task exists"},
		{"a digest is no id", "md5 d41d8cd98f00b204e9800998ecf8427e", "md5 d41d8cd98f00b204e9800998ecf8427e"},
		{"another kind of id, with a hyphen that does not break", "It was task‑17.", `It was "Say "hi"".`},
		{"a long id in small letters", "see ord-2024-00017", `see "Order"`},
		{"a dash between words", "task-17 – done", `"Say "hi"" – done`},
		{"a percent sign", "50%2Done task-17", `50%2Done "Say "hi""`},
		{"other scripts", "Готово: " + book + "。", `Готово: "Read book"。`},
	}
	index := New(entries, nil)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Redact(c.text, entries); got != c.want {
				t.Errorf("Redact: got %q, want %q", got, c.want)
			}
			if got := index.Redact(c.text); got != c.want {
				t.Errorf("Index.Redact: got %q, want %q", got, c.want)
			}
		})
	}
}

func TestDirectory(t *testing.T) {
	ctx := context.Background()
	broken := errors.New("the database is away")
	source := SourceFunc(func(_ context.Context, owner string) ([]Entry, error) {
		switch owner {
		case "ann":
			return entriesOf("Buy milk", "Read book"), nil
		case "bob":
			return []Entry{{ID: "b-1", Title: "Buy milkk"}, {ID: "b-2", Title: "Buy eggs"}}, nil
		case "eve":
			return nil, broken
		}
		return nil, nil
	})
	d := NewDirectory(source, &Options{Noun: "errand"})

	t.Run("one's own entry", func(t *testing.T) {
		match, err := d.Resolve(ctx, "bob", "buy milk")
		if err != nil || match.ID != "b-1" {
			t.Errorf("got %v, %v: Ann's title must not matter to Bob", match, err)
		}
	})
	t.Run("another's entry", func(t *testing.T) {
		_, err := d.Resolve(ctx, "bob", "read book")
		var missing *NotFoundError
		if !errors.As(err, &missing) || len(missing.Suggestions) > 0 {
			t.Errorf("got %v, want nothing found and nothing of Ann's suggested", err)
		}
	})
	t.Run("another's id", func(t *testing.T) {
		if match, err := d.Resolve(ctx, "bob", "id-A"); err == nil {
			t.Errorf("got %v, want an error", match)
		}
	})
	t.Run("no owner", func(t *testing.T) {
		if _, err := d.Resolve(ctx, "", "buy milk"); !errors.Is(err, ErrNoOwner) {
			t.Errorf("got %v, want ErrNoOwner", err)
		}
		if _, err := d.Entries(ctx, ""); !errors.Is(err, ErrNoOwner) {
			t.Errorf("got %v, want ErrNoOwner", err)
		}
		if _, err := d.Redact(ctx, "", "id-A"); !errors.Is(err, ErrNoOwner) {
			t.Errorf("got %v, want ErrNoOwner", err)
		}
	})
	t.Run("no entries", func(t *testing.T) {
		_, err := d.Resolve(ctx, "cid", "buy milk")
		if err == nil || err.Error() != `No errand matching "buy milk" found` {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the source fails", func(t *testing.T) {
		if _, err := d.Resolve(ctx, "eve", "buy milk"); !errors.Is(err, broken) {
			t.Errorf("got %v, want the error of the source", err)
		}
	})
	t.Run("redaction", func(t *testing.T) {
		got, err := d.Redact(ctx, "bob", "done: b-1x, b-21, id: b-1")
		if err != nil || got != `done: b-1x, b-21, "Buy milkk"` {
			t.Errorf("got %q, %v", got, err)
		}
	})
}
