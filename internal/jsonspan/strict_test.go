package jsonspan_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// accepted asks every strict reader, and lets the walks go over the text.
func accepted(t *testing.T, text []byte) bool {
	t.Helper()
	scan := jsonspan.Scanner{AllowNUL: true}
	_, fault := scan.Value(text)
	form, noForm := jsonspan.AppendCanonical(nil, text)
	require.Equal(t, fault == nil, noForm == nil, "%q: %v, %v", text, fault, noForm)
	if noForm == nil {
		require.True(t, json.Valid(form), "%q", form)
	}
	if start := jsonspan.SkipSpace(text, 0); jsonspan.KindOf(text[start:]) == jsonspan.Object {
		notOne := scan.Object(text)
		require.Equal(t, fault == nil, notOne == nil, "%q: %v", text, notOne)
	}
	for key, value := range jsonspan.Members(text) {
		_, _ = jsonspan.Key(key), jsonspan.Scalar(value)
	}
	for value := range jsonspan.Elements(text) {
		_, _ = jsonspan.Text(value)
	}
	return fault == nil
}

// Every beginning of a text is judged as the standard library does, and nothing
// is read beyond its end.
func TestBeginnings(t *testing.T) {
	for _, text := range []string{
		` {"a" : [ 1 , -2.5e+3 , true , false , null , "x\n\u00e9\ud83d\ude00" , {} , [ ] , { "b" : [ ] } ] , "c" : "long enough to be read in eights" } `,
		`[0,-0,0.0,10,1e5,1E-5,0e+1,123456789012345678901234567890]`, `"\"\\\/\b\f\n\r\t"`, `-12.50E+07`, `true`, `[[[{"a":{"b":[]}}]]]`,
	} {
		for end := range len(text) + 1 {
			part := []byte(text[:end])
			require.Equal(t, json.Valid(part), accepted(t, part), "%q", part)
		}
		for at := range len(text) { // and with each character left out
			part := []byte(text[:at] + text[at+1:])
			if whole := json.Valid(part); !whole {
				require.False(t, accepted(t, part), "%q", part)
			}
		}
	}
}

// Every byte in every place of a string, on its own and as the second of two.
func TestBytesOfStrings(t *testing.T) {
	for length := range 18 {
		for at := range length {
			for c := range 256 {
				text := []byte(`"` + strings.Repeat("x", length) + `"`)
				text[1+at] = byte(c)
				want := json.Valid(text) && utf8.Valid(text)
				require.Equal(t, want, accepted(t, text), "%q", text)
			}
		}
	}
}

func TestNumbersAreStrict(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "9", "10", "19", "0.0", "0.5", "9.9", "1e0", "1e9", "1E+9", "1e-9", "-1.25e-10", // right
		"", "-", "+1", "00", "01", "09", "-01", ".5", "5.", "1.e5", "1e", "1e+", "1e-", "1ee5", "0x1", "1_0", "1/", "1:", "NaN", "--1", "1.2.3", "0/", "0:", "-a", // wrong
	} {
		require.Equal(t, json.Valid([]byte(text)), accepted(t, []byte(text)), "%q", text)
		inList := "[" + text + "]"
		if text != "" {
			require.Equal(t, json.Valid([]byte(inList)), accepted(t, []byte(inList)), "%q", inList)
		}
	}
}

// Depth is bounded, and only depth: brothers cost nothing.
func TestDepth(t *testing.T) {
	const most = jsonspan.MaxDepth
	for name, brackets := range map[string][2]string{"lists": {"[", "]"}, "objects": {`{"a":`, "}"}, "both": {`[{"a":`, "}]"}} {
		for _, inside := range []string{"1", "[]", "{}"} {
			levels := most / strings.Count(brackets[0]+"x", brackets[0][:1])
			if name == "both" {
				levels = most / 2
			}
			if inside != "1" {
				levels-- // it is a level of its own
			}
			fits := func(n int) bool {
				return accepted(t, []byte(strings.Repeat(brackets[0], n)+inside+strings.Repeat(brackets[1], n)))
			}
			require.True(t, fits(levels), "%s around %s", name, inside)
			require.False(t, fits(levels+2), "%s around %s", name, inside)
		}
	}
	require.False(t, accepted(t, []byte(strings.Repeat("[", most+1)+strings.Repeat("]", most+1))))
	for _, brother := range []string{"[]", "[1]", "{}", `{"a":1}`, `[[1],{"b":[]}]`} {
		many := "[" + strings.TrimSuffix(strings.Repeat(brother+",", 3*most), ",") + "]"
		require.True(t, accepted(t, []byte(many)), brother)
	}
}

// The bound on the length lets a text of exactly that length pass.
func TestMaxBytes(t *testing.T) {
	scan := jsonspan.Scanner{MaxBytes: 8}
	_, fault := scan.Value([]byte(`[1,2,34]`))
	require.Nil(t, fault)
	fault = scan.Object([]byte(`{"a":1}  `))
	require.NotNil(t, fault)
	require.Equal(t, "size", fault.Rule)
}

// A text whose memory is not kept for the next one is read as well.
func TestLargeAndSmallInTurn(t *testing.T) {
	for range 3 {
		large := `{"z":"` + strings.Repeat(`\n`, 200_000) + `","a":1}`
		require.Equal(t, `{"a":1,"z":"`+strings.Repeat(`\n`, 200_000)+`"}`, canonical(t, large))
		require.Equal(t, `{"a":1,"b":2}`, canonical(t, `{"b":2,"a":1}`))
	}
}

// Keys that are the beginning of one another are sorted as texts are.
func TestKeysAreSortedAsTexts(t *testing.T) {
	require.Equal(t, `{"":1,"a":1,"a!":1,"a\"":1,"aa":1,"é":1}`, canonical(t, `{"é":1,"aa":1,"a\"":1,"a!":1,"a":1,"":1}`))
	var many, sorted []string
	for c := 'z'; c >= 'a'; c-- {
		many = append(many, `"`+string(c)+`":[`+string('0'+(c-'a')%10)+`]`)
		sorted = append([]string{`"` + string(c) + `":[` + string('0'+(c-'a')%10) + `]`}, sorted...)
	}
	require.Equal(t, "{"+strings.Join(sorted, ",")+"}", canonical(t, "{"+strings.Join(many, " , ")+"}"))
}
