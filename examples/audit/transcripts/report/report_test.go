package report

import "testing"

func TestShare(t *testing.T) {
	cases := []struct {
		part, whole int
		low, high   float64
	}{
		{0, 0, 0, 0}, {0, 10, 0, 0.2775}, {5, 10, 0.2366, 0.7634}, {10, 10, 0.7225, 1}, {87, 4677, 0.0151, 0.0229},
	}
	for _, c := range cases { // figures of Wilson's formula, worked out by hand
		got := ShareOf(c.part, c.whole)
		if diff := got.Low - c.low; diff > 0.0001 || diff < -0.0001 {
			t.Errorf("%d of %d: low %f, want %f", c.part, c.whole, got.Low, c.low)
		}
		if diff := got.High - c.high; diff > 0.0001 || diff < -0.0001 {
			t.Errorf("%d of %d: high %f, want %f", c.part, c.whole, got.High, c.high)
		}
	}
}

func TestOneLineDisarmsTerminals(t *testing.T) {
	if got := OneLine("a\x1b[31mred\r\nb\u202ec\u0085d"); got != "a [31mred b c d" {
		t.Errorf("got %q", got)
	}
}
