package reading

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConverted(t *testing.T) {
	reader := English()
	for _, row := range []struct {
		held, told string
		want       Conversion
	}{
		{`{"grams":2000}`, "2 kg", Converts},
		{`{"grams":2000}`, "2.0 kilos", Converts},
		{`{"weight":"2000 g"}`, "2 kg", Converts},
		{`{"weight":{"value":2000,"unit":"g"}}`, "2 kg", Converts},
		{`{"weight":2000}`, "2 kg", MayConvert},
		{`{"grams":2000}`, "a figure of 2", MayConvert},
		{`{"weight":2000}`, "2 boxes", NotConverted},
		{`{"grams":2000}`, "3 kg", NotConverted},
		{`{"kg":2000}`, "2 kg", NotConverted}, // the same unit, another figure
		{`{"durationMinutes":90}`, "1.5 hours", Converts},
		{`{"seconds":5400}`, "1 hour 30 minutes", Converts},
		{`{"for":"PT2H"}`, "120 minutes", Converts},
		{`{"hours":72}`, "three-day", Converts},
		{`{"minutes":100}`, "2 hours", NotConverted}, // nothing is rounded
		{`{"temp_c":1000}`, "1832 °F", Converts},
		{`{"temp_c":-40}`, "40 kg", NotConverted},
		{`{"miles":5}`, "8 km", Converts},
		{`{"miles":5}`, "9 km", NotConverted},
		{`{"amount_cents":4550}`, "45.50 euros", Converts},
		{`{"amount_cents":4550}`, "$45.50", Converts},
		{`{"start":"14:00","end":"16:30"}`, "150 minutes", Converts},
		{`{"start":"14:00","hours":3}`, "5 pm", Converts},
		{`{"start":"14:00","hours":3}`, "6 pm", NotConverted},
		{`{"start":"14:00","length":3}`, "5 pm", MayConvert},
		{`{"size":"L"}`, "2 l", NotConverted},
		{`{"id":"A-2"}`, "2 kg", NotConverted},
		{`{}`, "2 kg", NotConverted},
		{`not json`, "2 kg", NotConverted},
	} {
		values := reader.Values(nil, row.told)
		at := slices.IndexFunc(values, func(v Value) bool { return v.Kind == Number || v.Kind == Clock })
		require.GreaterOrEqual(t, at, 0, row.told)
		if got := reader.Measures([]byte(row.held)).Converted(values[at].Figure()); got != row.want {
			t.Errorf("%s, %q: %d, want %d", row.held, row.told, got, row.want)
		}
	}
}

// TestUnitsAreWhole: each unit has a kind and a size, and each kind several units.
func TestUnitsAreWhole(t *testing.T) {
	kinds := map[string][]float64{}
	for name, of := range units() {
		for _, u := range of {
			require.Positive(t, u.size, name)
			if !slices.Contains(kinds[u.kind], u.size+u.from) {
				kinds[u.kind] = append(kinds[u.kind], u.size+u.from)
			}
		}
	}
	for kind, sizes := range kinds {
		require.Greater(t, len(sizes), 1, "nothing converts to or from %s", kind)
	}
}
