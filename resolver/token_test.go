package resolver

import "testing"

func TestASCIIRun(t *testing.T) {
	for c := range 256 {
		for n := range 20 {
			text := make([]byte, 0, 40)
			for range n {
				text = append(text, 'a'+byte(n+c)%26)
			}
			text = append(text, byte(c))
			text = append(text, "zz"...)
			want := n
			if c >= 'a' && c <= 'z' {
				want = n + 3
			}
			for _, in := range [][]byte{text, text[:len(text):len(text)]} {
				if got := asciiRun(in); got != want {
					t.Fatalf("asciiRun(%q) = %d, want %d", in, got, want)
				}
			}
		}
	}
}
