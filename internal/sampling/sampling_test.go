package sampling

import "testing"

func TestEvery(t *testing.T) {
	t.Setenv(Variable, "")
	if All() || Every(7) != 7 {
		t.Errorf("without the variable: all %v, each %dth", All(), Every(7))
	}
	t.Setenv(Variable, "1")
	if !All() || Every(7) != 1 {
		t.Errorf("with it: all %v, each %dth", All(), Every(7))
	}
}
