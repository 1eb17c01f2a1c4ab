package policy

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzRedact prints arguments and errors for a log: on one line, without what
// stands in a secret's place, and in bounded length.
func FuzzRedact(f *testing.F) {
	f.Add(`{"password":"x","url":"https://a:b@c/?token=d"}`, "hunter2")
	f.Add(`{"a":[{"api_key":null},"Authorization: Bearer abcdefgh"]}`, "a b")
	f.Add("{\"a\":\"\x1b[31m\\u2028\"}", "q=1&x")
	f.Fuzz(func(t *testing.T, args, secret string) {
		line := Printable(LoggableArgs([]byte(args)))
		for _, r := range line {
			if !unicode.IsPrint(r) {
				t.Errorf("the line holds %q: %q", r, line)
			}
		}
		if !utf8.ValidString(line) || len(line) > 1<<20 {
			t.Errorf("%d bytes: %q", len(line), line)
		}
		if len(secret) < 4 || strings.ContainsAny(secret, " \t\r\n\v\f&\"',;/?#@:\\") || !utf8.ValidString(secret) || strings.Contains(redacted, secret) {
			return // cannot stand where it would be read as one
		}
		for _, text := range []string{"https://ann:" + secret + "@host/", "api_key=" + secret, "x?access_token=" + secret + "&y=1", "password=" + secret} {
			if strings.Contains(strings.Replace(HideSecrets(text), redacted, "", 1), secret) && !strings.Contains(strings.Replace(text, secret, "", 1), secret) {
				t.Errorf("%q is told as %q", text, HideSecrets(text))
			}
		}
	})
}
