package jsonspan_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

func canonical(t testing.TB, text string) string {
	t.Helper()
	form, fault := jsonspan.AppendCanonical(nil, []byte(text))
	require.Nil(t, fault, "%s", text)
	return string(form)
}

func TestNumbersOfEqualValueAreWrittenAlike(t *testing.T) {
	for want, spellings := range map[string][]string{
		"0":                       {"0", "-0", "0.0", "0e9", "-0.00e-7", "0e999999999999999999999"},
		"100":                     {"100", "100.0", "1e2", "1E+2", "0.1e3", "10000e-2", "100.00e0", "1e0000000000000000000000002"},
		"-1.5":                    {"-1.5", "-1.50", "-15e-1", "-0.15E1"},
		"0.001":                   {"0.001", "1e-3", "0.0010", "10e-4"},
		"9007199254740993":        {"9007199254740993", "9007199254740993.0", "9.007199254740993e15"},
		"12345678901234567890":    {"12345678901234567890", "1234567890123456789e1"},
		"1e40":                    {"1e40", "10e39", "1" + strings.Repeat("0", 40)},
		"1" + zeros(39):           {"1e39", "1" + zeros(39), "0.1e40"},
		"1.5e400":                 {"1.5e400", "15e399", "150E+398"},
		"1e-22":                   {"1e-22", "0." + zeros(21) + "1"},
		"0." + zeros(20) + "1":    {"1e-21", "0." + zeros(20) + "1"},
		"1e1000000000000000000":   {"1e1000000000000000000"},
		"-2e-1000000000000000000": {"-2e-1000000000000000000"},
	} {
		for _, spelling := range spellings {
			require.Equal(t, want, canonical(t, spelling), spelling)
		}
	}
}

func zeros(n int) string { return strings.Repeat("0", n) }

func TestNumbersThatDifferStayApart(t *testing.T) {
	seen := map[string]string{}
	for _, number := range []string{
		"1", "-1", "1.1", "1.01", "10", "0.1", "9007199254740992", "9007199254740993", "1e400", "1e401", "1e-400",
		"1e1000000000000000000", "1e1000000000000000001", "1e" + zeros(0) + strings.Repeat("9", 1001), "1e" + strings.Repeat("9", 1002),
		strings.Repeat("9", 40), strings.Repeat("9", 41), "0." + strings.Repeat("3", 60), "0." + strings.Repeat("3", 61),
	} {
		form := canonical(t, number)
		require.NotContains(t, seen, form, "%s", number)
		seen[form] = number
		require.Equal(t, form, canonical(t, form), "no fixed point")
	}
}

func TestWhatHasNoCanonicalForm(t *testing.T) {
	for text, rule := range map[string]string{
		`{"a":1,"a":1}`: "duplicate_key", `{"b":1,"a":1,"b":2}`: "duplicate_key", `{"\u0061":1,"a":1}`: "duplicate_key", `[{"x":{"k":1,"k":2}}]`: "duplicate_key",
		`"\ud800"`: "utf8", "\"\xff\"": "utf8", `{"a":1`: "json", `{"a" 1}`: "json", `{a:1}`: "json", `[1,]`: "json", ``: "json", `{} {}`: "json", `01`: "json", `"a` + "\n" + `"`: "json",
		strings.Repeat("[", 65) + strings.Repeat("]", 65): "depth",
	} {
		form, fault := jsonspan.AppendCanonical([]byte("before"), []byte(text))
		require.NotNil(t, fault, "%s", text)
		require.Equal(t, rule, fault.Rule, "%s: %v", text, fault)
		require.Equal(t, "before", string(form), "%s", text)
	}
}

func TestKeysThatDifferByCaseAreTwoKeys(t *testing.T) {
	require.Equal(t, `{"A":2,"a":1}`, canonical(t, `{"a":1,"A":2}`))
}

// A value written in two ways has one form, and two values have two. The slow
// way is the standard library's decoder, with exact fractions for numbers.
func TestCanonicalFormAgainstTheSlowWay(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	forms := map[string]string{}
	for range 5_000 {
		value := randomValue(random, 4)
		one, other := spell(random, value), spell(random, value)
		form := canonical(t, one)
		require.Equal(t, form, canonical(t, other), "%s\n%s", one, other)
		require.Equal(t, form, canonical(t, form))
		meaning := slowly(t, one)
		require.Equal(t, meaning, slowly(t, form))
		if known, met := forms[form]; met {
			require.Equal(t, known, meaning)
		}
		forms[form] = meaning
	}
	meanings := map[string]string{}
	for form, meaning := range forms {
		require.NotContains(t, meanings, meaning, "%s has two forms", meaning)
		meanings[meaning] = form
	}
}

// randomValue makes values that collide often: few keys, few texts, numbers
// near each other.
func randomValue(random *rand.Rand, depth int) any {
	switch n := random.IntN(8); {
	case depth > 0 && n == 0:
		list := make([]any, random.IntN(4))
		for i := range list {
			list[i] = randomValue(random, depth-1)
		}
		return list
	case depth > 0 && n <= 2:
		object := map[string]any{}
		for range random.IntN(5) {
			object[[]string{"a", "b", "ab", "", "é", "q\"", "a\\", "x\n"}[random.IntN(8)]] = randomValue(random, depth-1)
		}
		return object
	case n <= 5:
		return new(big.Rat).SetFrac64(int64(random.IntN(4000)-2000), []int64{1, 1, 10, 1000}[random.IntN(4)])
	case n == 6:
		return []any{nil, true, false}[random.IntN(3)]
	}
	return []string{"", "x", "é😀", "a\"b\\c/", "\u0001\t"}[random.IntN(5)]
}

// spell writes a value in one of its many spellings.
func spell(random *rand.Rand, value any) string {
	pick := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	space := func() string { return pick("", "", " ", "\n\t") }
	switch value := value.(type) {
	case []any:
		parts := make([]string, len(value))
		for i := range value {
			parts[i] = space() + spell(random, value[i]) + space()
		}
		return "[" + strings.Join(parts, ",") + space() + "]"
	case map[string]any:
		var parts []string
		for key, member := range value {
			parts = append(parts, space()+spell(random, key)+space()+":"+space()+spell(random, member)+space())
		}
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		return "{" + strings.Join(parts, ",") + space() + "}"
	case string:
		return spellText(random, value)
	case *big.Rat:
		return spellNumber(random, value)
	}
	text, _ := json.Marshal(value)
	return string(text)
}

func spellText(random *rand.Rand, text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		quoted, _ := json.Marshal(string(r))
		switch {
		case random.IntN(3) == 0 && r < 0x10000:
			fmt.Fprintf(&out, `\u%04x`, r)
		case random.IntN(3) == 0 && r >= 0x10000:
			fmt.Fprintf(&out, `\u%04X\u%04X`, 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
		default:
			out.Write(quoted[1 : len(quoted)-1])
		}
	}
	return out.String() + `"`
}

func spellNumber(random *rand.Rand, number *big.Rat) string {
	shift := random.IntN(7) - 3
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(shift, -shift))), nil))
	scaled := new(big.Rat).Mul(number, power)
	if shift < 0 {
		scaled.Quo(number, power)
	}
	text := scaled.FloatString(8)
	if random.IntN(2) == 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		if text == "" || text == "-" {
			text += "0"
		}
	}
	if shift != 0 || random.IntN(3) == 0 {
		text += []string{"e", "E"}[random.IntN(2)] + fmt.Sprintf([]string{"%d", "%+d", "%03d"}[random.IntN(3)], -shift)
	}
	return text
}

// slowly writes what a text means, by way of the standard library.
func slowly(t testing.TB, text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value), "%s", text)
	return meaningOf(value)
}

func meaningOf(value any) string {
	switch value := value.(type) {
	case []any:
		parts := make([]string, len(value))
		for i := range value {
			parts[i] = meaningOf(value[i])
		}
		return fmt.Sprintf("list%q", parts)
	case map[string]any:
		var parts []string
		for key, member := range value {
			parts = append(parts, fmt.Sprintf("%q=%s", key, meaningOf(member)))
		}
		slices.Sort(parts)
		return fmt.Sprintf("object%q", parts)
	case json.Number:
		exact, _ := new(big.Rat).SetString(value.String())
		return "number " + exact.String()
	}
	return fmt.Sprintf("%T %q", value, fmt.Sprint(value))
}

// Sorting and nesting cost no more than the text is long.
func TestLongTextsAreQuick(t *testing.T) {
	var text bytes.Buffer
	text.WriteByte('{')
	for i := range 50_000 {
		fmt.Fprintf(&text, `"k%d":%d,`, 50_000-i, i)
	}
	text.WriteString(`"":` + strings.Repeat(`{"b":1,"a":`, 60) + "1" + strings.Repeat("}", 60) + "}")
	form := canonical(t, text.String())
	require.Equal(t, form, canonical(t, form))
	number := strings.Repeat("9", 1_000_000)
	require.Equal(t, "9."+number[1:]+"e999999", canonical(t, number))
}

func FuzzAppendCanonical(f *testing.F) {
	for _, seed := range []string{`{"b":[1,2.50,{"c":"\u00e9\n"}],"a":null}`, `{"a":1e2,"\u0062":"\ud83d\ude00"}`, ` { } `, `[-0.0,12345678901234567890,1e-400]`, `{"a":1,"a":2}`, `"\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		form, fault := jsonspan.AppendCanonical(nil, text)
		if fault != nil {
			return
		}
		again, fault := jsonspan.AppendCanonical(nil, form)
		if fault != nil || !bytes.Equal(again, form) {
			t.Fatalf("%q becomes %q (%v): no fixed point", form, again, fault)
		}
		if !json.Valid(text) || !json.Valid(form) {
			t.Fatalf("%q or %q is no JSON", text, form)
		}
		if len(text) < 200 && !hugeExponent(text) && slowly(t, string(text)) != slowly(t, string(form)) {
			t.Fatalf("%q and %q do not mean the same", text, form)
		}
	})
}

// hugeExponent spares the slow way a number that would fill the memory.
func hugeExponent(text []byte) bool {
	for i, c := range text {
		if c|0x20 == 'e' && i+4 < len(text) {
			digits := 0
			for _, d := range text[i+1:] {
				if d >= '0' && d <= '9' {
					digits++
				} else if d != '+' && d != '-' {
					break
				}
			}
			if digits > 3 {
				return true
			}
		}
	}
	return false
}
