package chatwire_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// recording is one exchange in the shape of a provider's: what a client asked,
// what the server answered, and what has to reach the client. Recordings are
// written by hand.
type recording struct {
	path, request string
	answers       []recordedAnswer
	status        int
	same          bool // the client gets the last answer byte for byte
	holds         []string
}

type recordedAnswer struct {
	status     int
	kind, body string
}

// readRecording reads sections that begin with a line "-- name arguments --".
func readRecording(t *testing.T, file string) recording {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r recording
	for _, section := range strings.Split("\n"+string(text), "\n-- ")[1:] {
		head, body, found := strings.Cut(section, " --\n")
		name, rest, _ := strings.Cut(head, " ")
		first, second, _ := strings.Cut(rest, " ")
		switch {
		case !found:
			t.Fatalf("the section %q has no head", section)
		case name == "request":
			r.path, r.request = rest, body
		case name == "answer":
			a := recordedAnswer{kind: second, body: body}
			if _, err := fmt.Sscan(first, &a.status); err != nil {
				t.Fatal(err)
			}
			r.answers = append(r.answers, a)
		case name == "client":
			if _, err := fmt.Sscan(first, &r.status); err != nil {
				t.Fatal(err)
			}
			r.same, r.holds = second == "same", strings.Split(strings.TrimSpace(body), "\n")
		default:
			t.Fatalf("the section %q is not known", name)
		}
	}
	return r
}

// TestReplay plays exchanges in the shapes of many providers.
func TestReplay(t *testing.T) {
	files, err := filepath.Glob("testdata/replay/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { replay(t, readRecording(t, file)) })
	}
}

func replay(t *testing.T, r recording) {
	asked := 0
	transport := chatwire.Transport(newGuard(t, nil), roundTripper(func(*http.Request) (*http.Response, error) {
		if asked++; asked > len(r.answers) {
			return nil, fmt.Errorf("the server is asked %d times", asked)
		}
		a := r.answers[asked-1]
		return &http.Response{StatusCode: a.status, Header: http.Header{"Content-Type": {a.kind}}, Body: io.NopCloser(strings.NewReader(a.body))}, nil
	}), nil)
	request, err := http.NewRequest(http.MethodPost, "http://example.com"+r.path, strings.NewReader(r.request))
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != r.status || asked != len(r.answers) {
		t.Errorf("status %d after %d answers, %v: %s", response.StatusCode, asked, err, body)
	}
	if r.same && (string(body) != r.answers[asked-1].body || response.Header.Get("Content-Type") != r.answers[asked-1].kind) {
		t.Errorf("the client got %s", body)
	}
	for _, piece := range r.holds {
		if !strings.Contains(string(body), piece) {
			t.Errorf("%s does not hold %s", body, piece)
		}
	}
}
