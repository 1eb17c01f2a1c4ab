package main

import (
	"context"
	"errors"
)

// change is what a turn did to the rows of a user.
type change struct {
	gone    []Task // as they were
	added   []Task
	changed []struct{ was, is Task }
}

func (c *change) empty() bool { return len(c.gone)+len(c.added)+len(c.changed) == 0 }

// changeOf compares the rows before and after a turn.
func changeOf(before, after []Task) change {
	var c change
	is := make(map[string]Task, len(after))
	for _, task := range after {
		is[task.ID] = task
	}
	was := make(map[string]bool, len(before))
	for _, task := range before {
		was[task.ID] = true
		now, there := is[task.ID]
		switch {
		case !there:
			c.gone = append(c.gone, task)
		case now != task:
			c.changed = append(c.changed, struct{ was, is Task }{task, now})
		}
	}
	for _, task := range after {
		if !was[task.ID] {
			c.added = append(c.added, task)
		}
	}
	return c
}

// takeBack undoes a change and says what it did. What somebody has changed
// again since is left alone.
func (s *taskStore) takeBack(ctx context.Context, user string, c change) (done []string, err error) {
	err = s.db.within(ctx, func(tx *transaction) error {
		done = nil
		var faults []error
		undo := func(told, title, statement string, args ...any) {
			n, err := tx.exec(statement, args...)
			if faults = append(faults, err); n > 0 {
				done = append(done, told+": "+title)
			}
		}
		for _, task := range c.added {
			undo("Taken away again", task.Title, "DELETE FROM tasks WHERE id = ? AND user_id = ? AND updated_at = ?", task.ID,
				user, task.UpdatedAt)
		}
		for _, pair := range c.changed {
			undo("As before", pair.was.Title, `UPDATE tasks SET title = ?, description = ?, status = ?, priority = ?, due_date = ?, updated_at = ?
				WHERE id = ? AND user_id = ? AND updated_at = ?`, pair.was.Title, pair.was.Description, pair.was.Status, pair.was.Priority,
				orNull(pair.was.DueDate), s.now(), pair.is.ID, user, pair.is.UpdatedAt)
		}
		for _, task := range c.gone {
			undo("Back again", task.Title, "INSERT INTO tasks ("+taskColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "+
				"ON CONFLICT DO NOTHING", task.ID, user, task.Title, task.Description, task.Status, task.Priority,
				orNull(task.DueDate), task.CreatedAt, s.now())
		}
		return errors.Join(faults...)
	})
	return done, err
}

// reset gives a user the first tasks again, and takes all others away.
func (s *taskStore) reset(ctx context.Context, user string) error {
	if err := s.welcome(ctx, user); err != nil {
		return err
	}
	return s.db.within(ctx, func(tx *transaction) error {
		if _, err := tx.exec("DELETE FROM tasks WHERE user_id = ?", user); err != nil {
			return err
		}
		return s.seed(tx, user)
	})
}

// clear takes all tasks of a user away.
func (s *taskStore) clear(ctx context.Context, user string) error {
	_, err := s.db.exec(ctx, "DELETE FROM tasks WHERE user_id = ?", user)
	return err
}
