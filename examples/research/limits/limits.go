package limits

import (
	"context"
	"fmt"

	"github.com/bonafide-go/bonafide/policy"
)

// Limits are the numbers and lists behind [Limits.Rules]. Begin with
// [Defaults], since a limit of zero is an error and not "no limit"; a TOML
// decoder can fill the struct from a file, and [Limits.WithEnv] adds the
// environment. The tags name the keys.
type Limits struct {
	// WebSearchMinQueryLength and WebSearchMaxQueryLength bound the query of
	// web_search in characters. Defaults: 2 and 500. A longer one is cut.
	WebSearchMinQueryLength int `toml:"web_search_min_query_length"`
	WebSearchMaxQueryLength int `toml:"web_search_max_query_length"`
	// WebSearchRefuseLongQuery refuses a query that is too long instead.
	WebSearchRefuseLongQuery bool `toml:"web_search_refuse_long_query"`
	// WebSearchMaxResults is the most that max_results may ask for. Default: 20.
	// More is lowered to it.
	WebSearchMaxResults int `toml:"web_search_max_results"`
	// MemoryQueryDefaultTopK is what a tool should use where top_k is left out;
	// it is told in prompts and never added to a call. Default: 5.
	MemoryQueryDefaultTopK int `toml:"memory_query_default_top_k"`
	// MemoryQueryMaxTopK is the most that top_k may ask for. Default: 50. More is
	// lowered to it.
	MemoryQueryMaxTopK int `toml:"memory_query_max_top_k"`
	// MemoryWriteMaxContentSize bounds the content of memory_write in bytes of
	// UTF-8. Default: 50,000.
	MemoryWriteMaxContentSize int `toml:"memory_write_max_content_size"`
	// MemoryWriteAllowedNamespaces are the namespaces that memory_write may use.
	// Default: default, personal, research, argo_reading_history and
	// argo_notes_journal.
	MemoryWriteAllowedNamespaces []string `toml:"memory_write_allowed_namespaces"`
	// NamespaceAllowed, when set, decides instead of the list.
	NamespaceAllowed func(ctx context.Context, owner, namespace string) (bool, error) `toml:"-"`
	// RetrieveContextMaxChunkIDLength bounds chunk_id in characters. Default: 200.
	RetrieveContextMaxChunkIDLength int `toml:"retrieve_context_max_chunk_id_length"`
	// TaskMaxTitleLength bounds a task's title in characters. Default: 500.
	TaskMaxTitleLength int `toml:"task_max_title_length"`
	// TaskPriorities and TaskStatuses are the values of a task's priority and
	// status. Defaults: low, medium, high; pending, in_progress, completed,
	// cancelled.
	TaskPriorities []string `toml:"task_priorities"`
	TaskStatuses   []string `toml:"task_statuses"`
	// DueDateYearsBack and DueDateYearsAhead are the window of due dates around
	// the current year. Defaults: 1 and 10. Both zero is the current year alone.
	DueDateYearsBack  int `toml:"due_date_years_back"`
	DueDateYearsAhead int `toml:"due_date_years_ahead"`
}

// Defaults are the documented ones.
func Defaults() Limits {
	return Limits{
		WebSearchMinQueryLength: 2, WebSearchMaxQueryLength: 500, WebSearchMaxResults: 20,
		MemoryQueryDefaultTopK: 5, MemoryQueryMaxTopK: 50,
		MemoryWriteMaxContentSize: 50_000,
		MemoryWriteAllowedNamespaces: []string{
			"default", "personal", "research", "argo_reading_history", "argo_notes_journal",
		},
		RetrieveContextMaxChunkIDLength: 200,
		TaskMaxTitleLength:              500,
		TaskPriorities:                  []string{"low", "medium", "high"},
		TaskStatuses:                    []string{"pending", "in_progress", "completed", "cancelled"},
		DueDateYearsBack:                1, DueDateYearsAhead: 10,
	}
}

// DueDates is the window of due dates, for [policy.DateWindow.DateContext].
func (l Limits) DueDates() policy.DateWindow {
	return policy.DateWindow{YearsBack: l.DueDateYearsBack, YearsAhead: l.DueDateYearsAhead}
}

// Validate reports the first limit that makes no sense, by its key.
func (l Limits) Validate() error {
	for _, limit := range []struct {
		key         string
		value, most int
	}{
		{"web_search_min_query_length", l.WebSearchMinQueryLength, l.WebSearchMaxQueryLength},
		{"web_search_max_query_length", l.WebSearchMaxQueryLength, policy.MaxArgsBytes},
		{"web_search_max_results", l.WebSearchMaxResults, 1 << 31},
		{"memory_query_default_top_k", l.MemoryQueryDefaultTopK, l.MemoryQueryMaxTopK},
		{"memory_query_max_top_k", l.MemoryQueryMaxTopK, 1 << 31},
		{"memory_write_max_content_size", l.MemoryWriteMaxContentSize, policy.MaxArgsBytes},
		{"retrieve_context_max_chunk_id_length", l.RetrieveContextMaxChunkIDLength, policy.MaxArgsBytes},
		{"task_max_title_length", l.TaskMaxTitleLength, policy.MaxArgsBytes},
	} {
		if limit.value < 1 || limit.value > limit.most {
			return fmt.Errorf("%s is %d; it must lie between 1 and %d", limit.key, limit.value, limit.most)
		}
	}
	for _, values := range []struct {
		key  string
		list []string
	}{
		{"memory_write_allowed_namespaces", l.MemoryWriteAllowedNamespaces},
		{"task_priorities", l.TaskPriorities},
		{"task_statuses", l.TaskStatuses},
	} {
		if len(values.list) == 0 && !(values.key == "memory_write_allowed_namespaces" && l.NamespaceAllowed != nil) {
			return fmt.Errorf("%s is empty; list at least one value", values.key)
		}
	}
	if err := l.DueDates().Validate(); err != nil {
		return fmt.Errorf("due_date_years_back, due_date_years_ahead: %w", err)
	}
	return nil
}
