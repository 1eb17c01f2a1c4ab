package limits

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestLimitsFromEnvironment(t *testing.T) {
	file := Defaults()
	file.WebSearchMaxResults, file.WebSearchMaxQueryLength = 5, 100
	got, err := file.WithEnv("ARGO_SECURITY_", []string{
		"HOME=/root", "ARGO_SECURITY_WEB_SEARCH_MAX_RESULTS= 7 ", "ARGO_SECURITY_MEMORY_WRITE_ALLOWED_NAMESPACES=default, notes,x=y",
		"ARGO_SECURITY_WEB_SEARCH_REFUSE_LONG_QUERY=true", "ARGO_OTHER=1", "malformed",
	})
	if err != nil {
		t.Fatal(err)
	}
	// Environment beats file, file beats default.
	if got.WebSearchMaxResults != 7 || got.WebSearchMaxQueryLength != 100 || got.WebSearchMinQueryLength != 2 || !got.WebSearchRefuseLongQuery {
		t.Errorf("%+v", got)
	}
	if !reflect.DeepEqual(got.MemoryWriteAllowedNamespaces, []string{"default", "notes", "x=y"}) {
		t.Errorf("namespaces %q", got.MemoryWriteAllowedNamespaces)
	}
	for name, c := range map[string]struct{ entry, want string }{
		"unknown key":   {"P_WEB_SERACH_MAX_RESULTS=5", `there is no limit "P_WEB_SERACH_MAX_RESULTS"; use one of P_DUE_DATE_YEARS_AHEAD`},
		"lower case":    {"P_web_search_max_results=5", `there is no limit "P_web_search_max_results"`},
		"no number":     {"P_WEB_SEARCH_MAX_RESULTS=many", `P_WEB_SEARCH_MAX_RESULTS is "many"; it must be a whole number`},
		"empty":         {"P_WEB_SEARCH_MAX_RESULTS=", `P_WEB_SEARCH_MAX_RESULTS is ""; it must be a whole number`},
		"no boolean":    {"P_WEB_SEARCH_REFUSE_LONG_QUERY=perhaps", `it must be true or false`},
		"empty element": {"P_TASK_PRIORITIES=low,,high", `P_TASK_PRIORITIES is "low,,high"; it must be a list of texts`},
		"empty list":    {"P_TASK_PRIORITIES=", `it must be a list of texts`},
		"out of range":  {"P_WEB_SEARCH_MAX_RESULTS=0", `web_search_max_results is 0`},
	} {
		if _, err := Defaults().WithEnv("P_", []string{c.entry}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := Defaults().WithEnv("", []string{"PATH=/bin"}); err == nil {
		t.Error("an empty prefix is accepted")
	}
}

func TestLimitsAtTheirEdges(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Limits)
		valid  bool
	}{
		"one":            {func(l *Limits) { l.WebSearchMaxResults = 1 }, true},
		"none":           {func(l *Limits) { l.WebSearchMaxResults = 0 }, false},
		"all bytes":      {func(l *Limits) { l.TaskMaxTitleLength = policy.MaxArgsBytes }, true},
		"a byte more":    {func(l *Limits) { l.TaskMaxTitleLength = policy.MaxArgsBytes + 1 }, false},
		"least is most":  {func(l *Limits) { l.WebSearchMinQueryLength = l.WebSearchMaxQueryLength }, true},
		"least is above": {func(l *Limits) { l.WebSearchMinQueryLength = l.WebSearchMaxQueryLength + 1 }, false},
	} {
		limits := Defaults()
		c.change(&limits)
		if err := limits.Validate(); (err == nil) != c.valid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNamespacesByFunction: who may write where can be the host's own question.
func TestNamespacesByFunction(t *testing.T) {
	limits := Defaults()
	limits.MemoryWriteAllowedNamespaces = nil
	limits.NamespaceAllowed = func(_ context.Context, owner, namespace string) (bool, error) {
		if namespace == "broken" {
			return false, errors.New("database is down")
		}
		return namespace == "of_"+owner, nil
	}
	rules, err := limits.Rules()
	if err != nil {
		t.Fatal(err)
	}
	set, err := policy.New([]tooltrack.Tool{{Name: "memory_write"}}, &policy.Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	for namespace, rule := range map[string]string{
		`"of_ada"`: "", `"of_eve"`: "namespace", `7`: "type", `null`: "required", `"broken"`: "namespace",
	} {
		call := tooltrack.Call{Tool: "memory_write", Args: []byte(`{"content":"x","namespace":` + namespace + `}`)}
		d, err := set.Review(context.Background(), policy.Proposal{Owner: "ada", Call: call})
		if d.Rule != rule && err == nil || d.Allowed() != (rule == "") || (err != nil) != (namespace == `"broken"`) {
			t.Errorf("%s: %s by %q: %v", namespace, d.Kind, d.Rule, err)
		}
	}
	if _, err := (Limits{}).Rules(); err == nil || !strings.Contains(err.Error(), "web_search_min_query_length") {
		t.Errorf("zero limits: %v", err)
	}
}

// TestNamespaceIsChosen: where the model does not say where to write, the tool
// would choose, and no list could hold it back.
func TestNamespaceIsChosen(t *testing.T) {
	rules, err := Defaults().Rules()
	if err != nil {
		t.Fatal(err)
	}
	set, err := policy.New([]tooltrack.Tool{{Name: "memory_write"}}, &policy.Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	for args, rule := range map[string]string{
		`{"content":"x","namespace":"default"}`:   "",
		`{"content":"x"}`:                         "required",
		`{"content":"x","namespace":null}`:        "required",
		`{"content":"x","Namespace":"default"}`:   "required",
		`{"content":"x","namespace":"Default"}`:   "one_of",
		`{"content":"x","namespace":["default"]}`: "type",
	} {
		d, err := set.Review(context.Background(), policy.Proposal{Owner: "ada", Call: tooltrack.Call{Tool: "memory_write", Args: []byte(args)}})
		if err != nil || d.Rule != rule || d.Allowed() != (rule == "") {
			t.Errorf("%s: %s by %q: %v", args, d.Kind, d.Rule, err)
		}
	}
}

func FuzzLimits(f *testing.F) {
	f.Add("P_WEB_SEARCH_MAX_RESULTS=5", "P_TASK_STATUSES=a,b")
	f.Fuzz(func(t *testing.T, first, second string) {
		limits, err := Defaults().WithEnv("P_", []string{first, second})
		if err != nil {
			return
		}
		if _, err := limits.Rules(); err != nil {
			t.Errorf("accepted limits make no rules: %v", err)
		}
	})
}
