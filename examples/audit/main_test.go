package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
)

// echo answers {"id":…} lines with the id, nothing for a line without one, and
// fails or panics on request.
func echo(line []byte) (any, error) {
	type request struct {
		ID   string `json:"id"`
		Fail string `json:"fail"`
	}
	asked, err := decode[request](line)
	switch {
	case err != nil:
		return nil, err
	case asked.Fail == "error":
		return nil, errors.New("asked to fail")
	case asked.Fail == "panic":
		panic("asked to panic")
	case asked.ID == "":
		return nil, nil
	}
	return map[string]string{"id": asked.ID, "said": "<ok>"}, nil
}

func TestAnswerLines(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"each line is answered", `{"id":"a"}` + "\n" + `{"id":"b"}`, `{"id":"a","said":"<ok>"}` + "\n" + `{"id":"b","said":"<ok>"}` + "\n"},
		{"a definition gets no answer", `{"set":"x"}` + "\n", ""},
		{"empty lines are skipped", "\n \n" + `{"id":"a"}` + "\n\n", `{"id":"a","said":"<ok>"}` + "\n"},
		{"windows line ends", "{\"id\":\"a\"}\r\n", `{"id":"a","said":"<ok>"}` + "\n"},
		{"an error keeps its id", `{"id":"a","fail":"error"}`, `{"id":"a","error":"asked to fail"}` + "\n"},
		{"a panic keeps its id", `{"id":"a","fail":"panic"}`, `{"id":"a","error":"panic: asked to panic"}` + "\n"},
		{"a number is echoed as an id", `{"id":7}`, `{"id":7,"error":"the line is not a case of this subcommand: json: cannot unmarshal number into Go struct field request.id of type string"}` + "\n"},
		{"a cut line keeps its id", `{"id":"a","x":`, `{"id":"a","error":"the line is not a case of this subcommand: unexpected end of JSON input"}` + "\n"},
		{"no JSON at all", `nonsense`, `{"id":null,"error":"the line is not a case of this subcommand: invalid character 'o' in literal null (expecting 'u')"}` + "\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := answerLines(strings.NewReader(c.in), &out, echo); err != nil {
				t.Fatal(err)
			}
			if out.String() != c.want {
				t.Errorf("got  %q\nwant %q", out.String(), c.want)
			}
		})
	}
}

func TestLongLineIsAnsweredAndTheNextOneRead(t *testing.T) {
	long := `{"id":"long","x":"` + strings.Repeat("a", logfile.MaxValue) + `"}`
	var out bytes.Buffer
	if err := answerLines(strings.NewReader(long+"\n"+`{"id":"b"}`), &out, echo); err != nil {
		t.Fatal(err)
	}
	want := `{"id":null,"error":"longer than the 16 MiB that a conversation may have"}` + "\n" + `{"id":"b","said":"<ok>"}` + "\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestWriteErrorsEndTheRun(t *testing.T) {
	if err := answerLines(strings.NewReader(`{"id":"a"}`), brokenPipe{}, echo); err == nil {
		t.Error("the run went on without its output")
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"nonsense"}} {
		var errs bytes.Buffer
		if code := run(args, strings.NewReader(""), &bytes.Buffer{}, &errs); code != 2 {
			t.Errorf("run(%q) exits with %d, want 2", args, code)
		}
		if !strings.Contains(errs.String(), "usage: audit SUBCOMMAND") {
			t.Errorf("run(%q) says %q, which shows no usage", args, errs.String())
		}
	}
}

func TestTranscriptsRunByThemselves(t *testing.T) {
	log := `{"tools":[{"name":"cancel_order"}],"messages":[{"role":"user","content":"Please cancel my order."},{"role":"assistant","content":"I've cancelled your order."}]}`
	var out, errs bytes.Buffer
	if code := run([]string{"transcripts", "-max-ghosts", "0", "-"}, strings.NewReader(log), &out, &errs); code != 3 {
		t.Errorf("one ghost where none is allowed exits with %d, want 3: %s", code, errs.String())
	}
	if !strings.Contains(out.String(), "says   “I've cancelled your order.”") {
		t.Errorf("the report does not quote the claim:\n%s", out.String())
	}
	if code := run([]string{"turns", "nonsense"}, strings.NewReader(""), &out, &errs); code != 2 {
		t.Errorf("a subcommand called wrongly exits with %d, want 2", code)
	}
}
