package vector

const (
	// Size is how many numbers a vector has.
	Size = 64
	// Unit is what 1 is written as: fitted vectors are kept in bytes.
	Unit = 40
	// Scale turns what two sums have in common into a log-odds.
	Scale = 3
)

// Vector is where words point.
type Vector [Size]float32

// Times is the product of two vectors. Four sums do not wait for one another.
func (v *Vector) Times(other *Vector) float32 {
	var a, b, c, d float32
	for i := 0; i < Size; i += 4 {
		a += v[i] * other[i]
		b += v[i+1] * other[i+1]
		c += v[i+2] * other[i+2]
		d += v[i+3] * other[i+3]
	}
	return a + b + (c + d)
}

// lanes are the sum of fitted vectors, four numbers to a word and each with laneZero added
// as often as vectors were, so that four are added at a time: of eight numbers first those at
// even places, then the others.
type lanes [Size / 8][2]uint64

const (
	laneZero = 128
	lane     = 0x00FF00FF00FF00FF
	// mostAdded is how many vectors may be added before a lane runs over.
	mostAdded = 255
)
