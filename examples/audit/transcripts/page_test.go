package transcripts

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pageOf writes the page of a log and returns it.
func pageOf(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if status, _, errs := runOn(t, stdin, append(args, "-html", file)...); status != exitFine {
		t.Fatalf("exit status %d: %s", status, errs)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestThePageShowsTheMarkedSentences(t *testing.T) {
	page := pageOf(t, "", sample, "-deny-pattern", "^not permitted")
	for _, want := range []string{
		"<title>Bonafide audit: sample.jsonl</title>",
		"8 turns in 6 conversations",
		"25.0 %",
		"<mark>I&#39;ve deleted the task “Water the plants” for you",
		"<mark>The task “Pay rent” has been deleted",
		"<code>delete_task</code> failed",
		"no successful call of this turn does that",
		"<b>1</b><span>calls that were not allowed",
		"guessed from “add”",
		"<td class=\"n\">5</td><td class=\"name\">not valid JSON",
		"Add a task to buy &lt;b&gt;paint&lt;/b&gt; &amp; brushes.",
		"reads like an error (&#34;Error …&#34;, &#34;Failed …&#34;, a traceback)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("a value stands where the template cannot make it safe")
	}
}

// TestThePageNeedsNothingElse holds that it can be opened without a network, and
// that nothing in a log can make it do anything.
func TestThePageNeedsNothingElse(t *testing.T) {
	const attack = `</title></style><script>alert(1)</script><img src=x onerror=alert(1)>\" onload=\"alert(1) {{.}} javascript:alert(1)`
	page := pageOf(t, `{"id":"`+attack+`","model":"`+attack+`","messages":[{"role":"user","content":"`+attack+`"},
		{"role":"assistant","content":"I've deleted the task `+attack+`."}],"tools":[{"name":"delete_task","description":"`+attack+`"}]}`, "-")
	if !strings.Contains(page, "&lt;script&gt;alert(1)") {
		t.Error("the hostile text is not shown")
	}
	for _, expression := range []string{
		`(?i)<script`, `(?i)<img`, `(?i)<link`, `(?i)<iframe`, `(?i)<[^>]*\son[a-z]+\s*=`, `(?i)<[^>]*\s(src|href|action)\s*=`, `(?i)url\(`, `(?i)@import`, `https?://`,
	} {
		if found := regexp.MustCompile(expression).FindString(page); found != "" {
			t.Errorf("the page holds %q", found)
		}
	}
	if !strings.Contains(page, `content="default-src 'none'; style-src 'unsafe-inline'"`) {
		t.Error("the page does not forbid what it does not need")
	}
	if strings.Count(page, "</style>") != 1 || strings.Count(page, "</title>") != 1+strings.Count(page, "</title></rect>") {
		t.Error("a text closed an element of the page")
	}
}

func TestAnOlderPageIsReplacedWhole(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "page.html")
	if err := os.WriteFile(file, []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := runOn(t, "", sample, "-html", file); status != exitFine {
		t.Fatalf("exit status %d: %s", status, errs)
	}
	data, err := os.ReadFile(file)
	if err != nil || !strings.HasSuffix(string(data), "</html>\n") {
		t.Errorf("error %v, the page ends with %.40q", err, data[max(0, len(data)-40):])
	}
	if left, _ := os.ReadDir(folder); len(left) != 1 {
		t.Errorf("%d files are left in the folder", len(left))
	}
}

func TestThePageOfAnHonestAgent(t *testing.T) {
	page := pageOf(t, `{"tools":[],"messages":[{"role":"user","content":"Thanks!"},{"role":"assistant","content":"You're welcome!"}]}`, "-")
	if !strings.Contains(page, "No turn claims work that no call backs.") || strings.Contains(page, "<h2>Ghosts</h2>") || strings.Contains(page, "NaN") {
		t.Errorf("the page:\n%s", page)
	}
}
