package confirm_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard/confirm"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func change(args, result string) *tooltrack.Record {
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: "change", Args: json.RawMessage(args)}, Effect: tooltrack.Changes}
	record.Result = tooltrack.ResultOf([]byte(result), nil)
	return record
}

func TestJudge(t *testing.T) {
	const yes, no, open = tooltrack.Confirmed, tooltrack.Contradicted, tooltrack.NotConfirmed
	for name, c := range map[string]struct {
		expect, args, result, found string
		sight                       tooltrack.Sight
		reason                      string
	}{
		"a state that holds":           {"status = cancelled", `{}`, ``, `{"id":"A-1","status":"CANCELLED"}`, yes, ""},
		"one that does not":            {"status = cancelled", `{}`, ``, `{"status":"open"}`, no, `get shows status "open", not "cancelled"`},
		"what waits may yet come":      {"status = cancelled", `{}`, `{"status":"pending"}`, `{"status":"open"}`, open, `get shows status "open", not "cancelled"`},
		"one of several":               {"status = paid | shipped", `{}`, ``, `{"status":"shipped"}`, yes, ""},
		"a text in quotes":             {`status = "on hold, (later)" | done`, `{}`, ``, `{"status":"on hold, (later)"}`, yes, ""},
		"a member of a member":         {"order.total = $args.total", `{"total":"48.00"}`, ``, `{"order":{"total":48}}`, yes, ""},
		"another figure":               {"total = $args.total", `{"total":48}`, ``, `{"total":12.5}`, no, `get shows total 12.5, not 48`},
		"large figures are exact":      {"n = $args.n", `{"n":"12345678901234567891"}`, ``, `{"n":"12345678901234567890"}`, no, ""},
		"the same moment":              {"at = $args.at", `{"at":"2026-04-06T15:00:00+02:00"}`, ``, `{"at":"2026-04-06T13:00:00Z"}`, yes, ""},
		"another moment":               {"at = $args.at", `{"at":"2026-04-06T15:00:00+02:00"}`, ``, `{"at":"2026-04-06T15:00:00Z"}`, no, ""},
		"letters of arguments count":   {"title = $args.title", `{"title":"Milk"}`, ``, `{"title":"milk"}`, no, ""},
		"an argument left out":         {"title = $args.title, due = $args.due", `{"title":"Milk"}`, ``, `{"title":"Milk"}`, yes, ""},
		"null is left out":             {"title = $args.title", `{"title":null}`, ``, `{"title":"Milk"}`, open, "the call leaves out all that could be compared"},
		"of the result":                {"id = $result.task.id", `{}`, `{"task":{"id":7}}`, `{"id":7}`, yes, ""},
		"a member that is not shown":   {"status = open", `{}`, ``, `{"id":1}`, open, "get shows no status"},
		"a member that is null":        {"note = $args.note", `{"note":"call"}`, ``, `{"note":null}`, no, ""},
		"a list is compared":           {"tags = $args.tags", `{"tags":["a","b"]}`, ``, `{"tags":["a"]}`, no, ""},
		"it is there":                  {"exists", `{}`, ``, `{"id":1}`, yes, ""},
		"it is not there":              {"exists", `{}`, ``, `null`, no, "get shows no such thing"},
		"it is gone":                   {"absent", `{}`, ``, `{}`, yes, ""},
		"it is not gone":               {"absent", `{}`, ``, `{"id":1}`, no, `get still shows {"id":1}`},
		"a member is there":            {"sent_at exists", `{}`, ``, `{"sent_at":"2026-04-06"}`, yes, ""},
		"a member is not there":        {"sent_at exists", `{}`, ``, `{"sent_at":""}`, no, "get shows no sent_at"},
		"nothing to compare with":      {"status = open", `{}`, ``, ``, no, "get shows no such thing"},
		"a text contains":              {". contains $args.text", `{"text":"two\nlines"}`, ``, "one\ntwo\nlines\n", yes, ""},
		"a text does not":              {". contains $args.text", `{"text":"two"}`, ``, "one", no, `get does not show "two"`},
		"a list has it":                {"tasks has (id = $args.id, done = true)", `{"id":2}`, ``, `{"tasks":[{"id":1,"done":true},{"id":2,"done":true}]}`, yes, ""},
		"a list has it not":            {"tasks has (id = $args.id, done = true)", `{"id":2}`, ``, `{"tasks":[{"id":1,"done":true},{"id":2,"done":false}]}`, no, "get does not list it"},
		"a list itself":                {"has (id = $args.id)", `{"id":2}`, ``, `[{"id":2}]`, yes, ""},
		"an empty list lacks it":       {"lacks (id = $args.id)", `{"id":2}`, ``, `[]`, yes, ""},
		"a list still has it":          {"lacks (id = $args.id)", `{"id":2}`, ``, `[{"id":2}]`, no, "get still lists it"},
		"once":                         {"once (title = $args.title)", `{"title":"Milk"}`, ``, `[{"title":"Milk"},{"title":"Eggs"}]`, yes, ""},
		"twice":                        {"once (title = $args.title)", `{"title":"Milk"}`, ``, `[{"title":"Milk"},{"title":"Milk"}]`, no, "get lists it 2 times"},
		"no list":                      {"has (id = 1)", `{}`, ``, `{"id":1}`, open, "get shows no list"},
		"another thing was shown":      {"status = open", `{"id":"A-1"}`, ``, `{"id":"A-2","status":"open"}`, open, `get was asked for id "A-1" and shows "A-2"`},
		"a contradiction stops it all": {"status = open, owner = $args.owner", `{"owner":"ann"}`, ``, `{"status":"closed","owner":"ann"}`, no, ""},
	} {
		t.Run(name, func(t *testing.T) {
			read := "get()"
			if name == "another thing was shown" {
				read = "get(id = $args.id)"
			}
			plan, err := confirm.New(&tooltrack.Confirm{Read: read, Expect: c.expect})
			require.NoError(t, err)
			look := tooltrack.Tool{Name: "get", Effect: tooltrack.Reads}
			body := tooltrack.Execute(t.Context(), &look, tooltrack.Call{Tool: "get"}, returns(c.found, nil), nil)
			seen := plan.Judge(change(c.args, c.result), body)
			require.Equal(t, c.sight, seen.Sight, seen.Reason)
			if c.reason != "" {
				require.Equal(t, c.reason, seen.Reason)
			}
		})
	}
}

// A read that fails tells nothing, unless it fails because there is no such thing.
func TestReadsThatFail(t *testing.T) {
	for _, c := range []struct {
		expect string
		read   tooltrack.Result
		sight  tooltrack.Sight
	}{
		{"absent", tooltrack.FailedResult("order A-1 not found"), tooltrack.Confirmed},
		{"exists", tooltrack.FailedResult("404"), tooltrack.Contradicted},
		{"absent", tooltrack.ResultOf([]byte("Error: no such file or directory"), nil), tooltrack.Confirmed},
		{"absent", tooltrack.FailedResult("connection refused"), tooltrack.NotConfirmed},
		{"absent", tooltrack.ResultOf([]byte(`{"status":"error","message":"internal"}`), nil), tooltrack.NotConfirmed},
		{"exists", tooltrack.UnknownResult("the tool panicked"), tooltrack.NotConfirmed},
		{"absent", tooltrack.DeniedResult("not allowed"), tooltrack.NotConfirmed},
	} {
		plan, err := confirm.New(&tooltrack.Confirm{Read: "get()", Expect: c.expect})
		require.NoError(t, err)
		require.Equal(t, c.sight, plan.Judge(change(`{}`, ``), c.read).Sight, "%s after %q", c.expect, c.read.Error)
	}
}

func TestCall(t *testing.T) {
	plan, err := confirm.New(&tooltrack.Confirm{Read: `find(key = $args.key, within = $result.box.id, deep = true, note = "a, b")`, Expect: "has (x = $args.y)"})
	require.NoError(t, err)
	require.Equal(t, []string{"key", "within", "deep", "note"}, plan.Arguments())
	require.Equal(t, []string{"key", "y"}, plan.References())
	call, err := plan.Call(change(`{"key":{"n":9007199254740993}}`, `{"box":{"id":"b"}}`))
	require.NoError(t, err)
	require.Equal(t, "find", call.Tool)
	require.JSONEq(t, `{"key":{"n":9007199254740993},"within":"b","deep":true,"note":"a, b"}`, string(call.Args))
	_, err = plan.Call(change(`{"key":1}`, ``))
	require.EqualError(t, err, "$result.box.id is not there")
}

func TestFormsThatAreRefused(t *testing.T) {
	by := func(confirm *tooltrack.Confirm) { confirm.By = nothing }
	for _, c := range []struct {
		form tooltrack.Confirm
		edit func(*tooltrack.Confirm)
		want string
	}{
		{form: tooltrack.Confirm{Expect: "exists"}, want: "give either Read or By"},
		{form: tooltrack.Confirm{Read: "get()", Expect: "exists"}, edit: by, want: "give either Read or By"},
		{form: tooltrack.Confirm{Read: "get()"}, want: "there is no Expect"},
		{form: tooltrack.Confirm{Read: "get", Expect: "exists"}, want: `"get" is no call`},
		{form: tooltrack.Confirm{Read: "get(id)", Expect: "exists"}, want: `"id" is no argument`},
		{form: tooltrack.Confirm{Read: "get(id = $arg.id)", Expect: "exists"}, want: `is no argument`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "status"}, want: `"status" is no condition`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "exists,"}, want: `is no condition`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "status ="}, want: `is no condition`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "status = a |"}, want: `"" is no value`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "status = $x.y"}, want: `"$x.y" is no value`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "has id = 1"}, want: `is no condition`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "has ()"}, want: `is no condition`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "exists now"}, want: `is no condition`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "statusexists"}, want: `is no condition`},
		{form: tooltrack.Confirm{Read: "get()", Expect: "exists", Tries: 21}, want: "Tries is 21"},
		{form: tooltrack.Confirm{Read: "get()", Expect: "exists", Delay: -1}, want: "Delay is -1ns"},
		{form: tooltrack.Confirm{Read: "get()", Expect: "exists", When: "often"}, want: `When is "often"`},
	} {
		if c.edit != nil {
			c.edit(&c.form)
		}
		_, err := confirm.New(&c.form)
		require.ErrorContains(t, err, c.want, "%+v", c.form)
	}
}

// Whatever stands in a form, it is read or refused, and what it was read into can be used.
func FuzzForm(f *testing.F) {
	f.Add("get(id = $args.id)", "status = a | b, tasks has (id = 1, done = true), exists", `{"id":1}`, `{"tasks":[{"id":1}]}`)
	f.Add(`get(a = "x\"),(", b = 2)`, `. contains "\\"`, `[`, `"`)
	f.Fuzz(func(t *testing.T, read, expect, args, found string) {
		plan, err := confirm.New(&tooltrack.Confirm{Read: read, Expect: expect})
		if err != nil {
			return
		}
		record := change(args, found)
		if call, err := plan.Call(record); err == nil && json.Valid([]byte(args)) && !json.Valid(call.Args) {
			t.Errorf("%s gives the arguments %s", read, call.Args)
		}
		seen := plan.Judge(record, tooltrack.ResultOf([]byte(found), nil))
		if seen.Sight != tooltrack.Confirmed && seen.Reason == "" {
			t.Errorf("%s: %s without a reason", plan, seen.Sight)
		}
	})
}

func returns(body string, err error) func(context.Context, tooltrack.Call) ([]byte, error) {
	return func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(body), err }
}

func nothing(context.Context, *tooltrack.Record) (json.RawMessage, error) {
	return nil, nil
}
