package forest

import "testing"

func TestTwins(t *testing.T) {
	var twins Twins
	for _, vectors := range [][][]float32{
		{{1, 2, 3}, {1, 2, 4}, {1, 2, 3}, {0, 2, 3}, {1, 2, 4}, {1, 0, 3}},
		{{1, 2}, {2, 1}, {1, 2}, {0, 0}},
		{{}, {}},
	} {
		for i, x := range vectors {
			want := 0
			for want < i && !equal(vectors[want], x) {
				want++
			}
			if got := twins.First(i, x); got != want {
				t.Errorf("the first like %v is %d, not %d", x, got, want)
			}
		}
	}
}

func equal(a, b []float32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
