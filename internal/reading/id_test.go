package reading

import "testing"

func TestPatternID(t *testing.T) {
	for pattern, want := range map[string]string{
		`^HB\d{4}$`: "HB00", `^T-[0-9]+$`: "T-00", `^INV_\d\d\d$`: "INV_00", `[A-Z]{2}\d{4}`: "", `K\-\d+`: "K-00",
		`HB[0-9]+`: "HB00", `^(AX|B)\d+$`: "", `^(open|done)$`: "", `.*`: "", ``: "", `[`: "", `\`: "", `(\d`: "", `\w+\d`: "",
	} {
		if got := PatternID(pattern); got != want {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
}

func TestLooksLikeID(t *testing.T) {
	for word, want := range map[string]bool{
		"HB2201": true, "c-5120": true, "48213": true, "R-61": true, "2:30": false, "v1.2": false, "seven": false, "12": false, "": false,
		"abcdefgh12": false,
	} {
		if LooksLikeID(word) != want {
			t.Errorf("%q", word)
		}
	}
}

func FuzzPatternID(f *testing.F) {
	f.Add(`^HB\d{4}$`)
	f.Add(`((a{9}){9}){9}`)
	f.Fuzz(func(t *testing.T, pattern string) {
		if got := PatternID(pattern); len(got) > 1<<16 {
			t.Errorf("%q is %q", pattern, got)
		}
	})
}
