package hashtable

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestLikeAMap: whatever is put in, a map says the same.
func TestLikeAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var table Table[int]
	known := map[uint64]int{}
	require.False(t, table.Has(7))
	for i := range 5000 {
		key := 1 + random.Uint64N(3000)<<random.UintN(50)
		if _, have := known[key]; !have {
			known[key] = i
		}
		table.Put(key, i)
		require.Equal(t, known[key], table.Find(key))
		probe := 1 + random.Uint64N(1<<20)
		_, have := known[probe]
		require.Equal(t, have, table.Has(probe))
	}
	seen := 0
	for key, value := range table.All {
		require.Equal(t, known[key], value)
		seen++
	}
	require.Len(t, known, seen)
	require.False(t, table.Has(0))
	table.Clear()
	for range table.All {
		t.Fatal("an empty table has a key")
	}
	require.False(t, table.Has(1))
}

func TestAddIsThePlaceOfTheValue(t *testing.T) {
	table := New[string](2)
	*table.Add(5) += "a"
	*table.Add(5) += "b"
	require.Equal(t, "ab", table.Find(5))
}

// TestSetTakesNoRoomForValues: a set has nothing but its keys.
func TestSetTakesNoRoomForValues(t *testing.T) {
	require.EqualValues(t, 8, unsafe.Sizeof(slot[struct{}]{}))
}

// TestNothingIsAllocatedByReading in a table of any size.
func TestNothingIsAllocatedByReading(t *testing.T) {
	table := New[int32](8)
	table.Put(3, 4)
	require.Zero(t, testing.AllocsPerRun(10, func() { table.Find(3) }))
}

// TestPoorKeysAreSpread: keys that differ in their upper bits alone, as those of whole numbers
// do, do not stand in one row: who looks for one passes few others.
func TestPoorKeysAreSpread(t *testing.T) {
	for _, shift := range []int{0, 8, 32, 44, 50} {
		table := New[int](0)
		for i := range 2000 {
			table.Put(uint64(i+1)<<shift|1, i)
		}
		if 2*table.Len() > len(table.slots) {
			t.Errorf("%d keys stand in %d slots", table.Len(), len(table.slots))
		}
		longest, row := 0, 0
		for i := range table.slots {
			if row++; table.slots[i].key == 0 {
				row = 0
			}
			longest = max(longest, row)
		}
		if longest > 60 {
			t.Errorf("keys that differ from bit %d on stand in a row of %d", shift, longest)
		}
	}
}
