package sqltrack

import (
	"errors"
	"strings"
	"testing"
)

// FuzzDiscreet hides passwords of any kind in texts of any kind.
func FuzzDiscreet(f *testing.F) {
	f.Add("failed to connect: ", "hunter2", ": refused")
	f.Add("x=1 ", "p%40ss", " dbname=y")
	f.Add("", "a'b", "")
	f.Fuzz(func(t *testing.T, before, password, behind string) {
		err := errors.New(before + behind)
		if hidden := discreet(err); !errors.Is(hidden, err) {
			t.Errorf("%q lost its cause", before+behind)
		}
		if len(password) < 4 || strings.ContainsAny(password, " \t\r\n\v\f/?#@:&;'\"\\") || strings.Contains("[redacted]", password) || strings.Contains(before+behind, password) {
			return // cannot stand there, or stands elsewhere, too
		}
		for _, source := range []string{"postgres://ann:" + password + "@db/x", " password=" + password + " ", " root:" + password + "@tcp(db)/x"} {
			if told := discreet(errors.New(source)).Error(); strings.Contains(told, password) && !strings.Contains(strings.Replace(source, password, "", 1), password) {
				t.Errorf("%q is told as %q", source, told)
			}
		}
	})
}
