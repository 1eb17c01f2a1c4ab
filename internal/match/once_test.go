package match

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What is worked out once for a turn, or found by a search, is what asking each time finds.

var bodies = []string{
	`{"id":"job-1","name":"Anna de Wit","total":12.5,"items":[1,2,3]}`, `{"ok":true}`, ``, `{"front":"locked","back":"locked","n":3}`,
	`[{"id":"A-1","name":"Anna Hart","sum":7},{"id":"A-2","name":"Bo Lind","sum":9.25}]`, `sent to C:\tmp\Anna`, `{"path":"/srv/Report-9.txt","rows":[]}`,
	`{"note":"a text that is longer than the forty bytes which a name may have"}`, `{"amount":100,"fee":0.4}`, `{"a":2,"b":"2"}`,
	`{"note":"a text that has forty bytes, and no more"}`, `{"rate":2.4}`,
}

func turnOf(r *rand.Rand, tools ...string) *Turn {
	var records []*tooltrack.Record
	for range 1 + r.IntN(6) {
		record := &tooltrack.Record{Call: tooltrack.Call{Tool: tools[r.IntN(len(tools))], Args: []byte(bodies[r.IntN(len(bodies))])}}
		record.Result = tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(bodies[r.IntN(len(bodies))])}
		if record.Effect = tooltrack.Changes; strings.HasPrefix(record.Tool, "list") {
			record.Effect = tooltrack.Reads
		}
		if r.IntN(3) == 0 {
			record.Result = tooltrack.Result{Status: tooltrack.Failed, Error: "no"}
		}
		records = append(records, record)
	}
	return NewTurn(nil, []tooltrack.Tool{{Name: "send_mail", Effect: tooltrack.Changes}, {Name: "list_mails", Effect: tooltrack.Reads}},
		Words{User: "send it"}, 0, records)
}

func eachTurn(t *testing.T, do func(turn *Turn, records []*record)) {
	for seed := range uint64(200) {
		turn := turnOf(rand.New(rand.NewPCG(seed, 5)), "send_mail", "list_mails", "send_note")
		do(turn, turn.records(turn.all()))
		if t.Failed() {
			t.Fatalf("turn %d", seed)
		}
	}
}

func TestTextsOfARecord(t *testing.T) {
	eachTurn(t, func(_ *Turn, records []*record) {
		for _, r := range records {
			for _, piece := range []string{"anna", "ANNA", "job-1", "locked\nlocked", "x", "", "/srv/report-9.txt"} {
				in := false
				for i := range r.leaves {
					has := strings.Contains(strings.ToLower(r.leaves[i].text), strings.ToLower(piece))
					in = in || has
				}
				require.Equal(t, in, r.hasText(piece), "%q in %s %s", piece, r.Args, r.Result.Data)
			}
		}
	})
}

// slowTotal adds up each column and each row anew.
func slowTotal(number float64, records []*record) bool {
	sums, counts := map[string]float64{}, map[string]float64{}
	for i, r := range records {
		for k := range r.leaves {
			if l := &r.leaves[k]; l.name != "" && len(l.values) == 1 && l.values[0].Kind == reading.Number {
				for _, column := range []string{l.name, fmt.Sprint(i, "#", l.object)} {
					sums[column] += l.values[0].Number
					counts[column]++
				}
			}
		}
	}
	for name, sum := range sums {
		if near(sum, number) || near(sum, number*100) || near(math.Round(100*sum/counts[name])/100, number) {
			return true
		}
	}
	return false
}

func TestTotalsAndCounts(t *testing.T) {
	seen := map[bool]int{}
	eachTurn(t, func(turn *Turn, records []*record) {
		for _, number := range []float64{0, 1, 2, 3, 7, 9.25, 12, 12.5, 13, 16.25, 25, 100, 100.4, 1, 0.125, 112.5, 50.2, 8.13, 112.504, 12.51, math.Inf(1)} {
			for from := range records {
				some := records[from:]
				require.Equal(t, slowTotal(number, some), turn.isTotal(number, some), "%v", number)
				require.Equal(t, slowTotal(number, some), turn.isTotal(number, some), "%v, asked again", number)
				seen[slowTotal(number, some)]++
				length := false
				for _, n := range some[0].lengths {
					length = length || number == float64(n)
				}
				require.Equal(t, length || slowTotal(number, some[:1]), some[0].isTotal(number))
				v := &reading.Value{Kind: reading.Number, Number: number}
				require.Equal(t, slowCount(number, some), turn.isCounted(v, some), "%v", number)
				require.Equal(t, slowRound(number, some), isRounded(v, some), "%v", number)
			}
		}
	})
	require.Len(t, seen, 2)
}

func slowCount(number float64, records []*record) bool {
	if number == float64(len(records)) {
		return true
	}
	for _, r := range records {
		states := map[string]int{}
		for _, n := range r.lengths {
			states["\x00"+fmt.Sprint(n)] = n
		}
		for i := range r.leaves {
			if r.leaves[i].given && len(r.leaves[i].text) > 40 {
				return true
			}
			if !r.leaves[i].given {
				states[r.leaves[i].text]++
			}
		}
		for text, n := range states {
			if (n > 1 || strings.HasPrefix(text, "\x00")) && number == float64(n) {
				return true
			}
		}
	}
	return false
}

func slowRound(number float64, records []*record) bool {
	for _, r := range records {
		for i := range r.leaves {
			for _, v := range r.leaves[i].values {
				if v.Kind == reading.Number && v.Number != math.Trunc(v.Number) && math.Round(v.Number) == number && number >= 2 {
					return true
				}
			}
		}
	}
	return false
}

func TestMendedLater(t *testing.T) {
	seen := map[bool]int{}
	eachTurn(t, func(turn *Turn, records []*record) {
		for i, failed := range records {
			mended := false
			for _, r := range records[i+1:] {
				mended = mended || r.Tool == failed.Tool && r.isOver() && !failed.namesOther(r)
			}
			require.Equal(t, mended, turn.isMendedLater(i+1))
			require.Equal(t, mended, turn.isMendedLater(i+1), "asked again")
			seen[mended]++
		}
	})
	require.Len(t, seen, 2)
}

func TestFollowing(t *testing.T) {
	for _, text := range []string{"I sent 3 mails and 2 notes to Anna on 12 June, BK-5590 for 12.50 EUR at 9 pm.", "5", ""} {
		values := reading.English().Values(nil, text)
		for i := range values {
			if values[i].Has(reading.Derived | reading.Merged) {
				continue
			}
			first := len(values)
			for k := len(values) - 1; k >= 0; k-- {
				if values[k].Start() > values[i].End() {
					first = k
				}
			}
			require.Len(t, following(values, &values[i]), len(values)-first, "%q after %q", text, values[i].String())
		}
	}
}

func TestWordsBefore(t *testing.T) {
	for text, want := range map[string]bool{
		"at a quarter past 4": true, "a QUARTER TO   4": true, strings.Repeat("so ", 40) + "half past 4": true, "the past4 4": false, "4": false,
		"from a quarter 4": false,
	} {
		values := reading.English().Values(nil, text)
		last := &values[len(values)-1]
		require.Equal(t, want, isClockInWords(last), text)
	}
	for text, want := range map[string]bool{
		"one of the 2": true, "of 2": true, "Version 3": true, "roof 3": false, strings.Repeat("x", 30) + " step 3": true, "3": false,
		"xxxxxxxxxxstep 3": false,
	} {
		values := reading.English().Values(nil, text)
		require.Equal(t, want, isOfMany(&values[len(values)-1]), text)
	}
}

func TestTokenFrom(t *testing.T) {
	claims := Read("I sent it, and then I deleted the old one.")
	for i := range claims {
		c := &claims[i]
		for place := range len(c.text.Source) + 2 {
			want := c.clause0()
			for want < c.end() && int(c.text.Tokens[want].Start) < place {
				want++
			}
			require.Equal(t, want, tokenFrom(c, place))
		}
	}
}

func TestPiecesOfLines(t *testing.T) {
	var got []string
	for _, piece := range Pieces("Sent it. Done! And more.\n| To | Items |\n|---|---|\n| bob | 3. So |\n| ann | 4 |\nLast one. Yes.\n| x | y |\n| z | 1 |") {
		got = append(got, piece.Header+"/"+piece.Text())
	}
	require.Equal(t, []string{
		"/Sent it.", "/Done!", "/And more.", "| To | Items |/| bob | 3. So |", "| To | Items |/| ann | 4 |", "/Last one.", "/Yes.", "| x | y |/| z | 1 |",
	}, got)
}

// TestWorkIsBounded: the budget is of one turn, and what is within it is not noticed.
func TestWorkIsBounded(t *testing.T) {
	turn := NewTurn(nil, nil, Words{}, 0, nil)
	require.NotPanics(t, func() { turn.spend(10_000_000) })
	require.PanicsWithValue(t, ErrTooMuch, func() { turn.spend(1) })
	require.NotPanics(t, func() { NewTurn(nil, nil, Words{}, 0, nil).spend(1) })
}

// TestEveryComparisonIsWork: what holds a claim against records spends for each of their leaves.
func TestEveryComparisonIsWork(t *testing.T) {
	spent := func(entries int) int {
		data := "[" + strings.Repeat(`{"name":"Anna Hart","total":7},`, entries) + `{"name":"Bo","total":8}]`
		record := &tooltrack.Record{Call: tooltrack.Call{Tool: "send_mail", Args: []byte(data)}, Effect: tooltrack.Changes}
		record.Result = tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(data)}
		turn := NewTurn(nil, nil, Words{User: "send 12 mails to Bo Lind"}, 0, []*tooltrack.Record{record})
		turn.Settles("I've sent 12 mails to Bo Lindt, 13 EUR each, and it is locked.")
		return turn.work
	}
	require.Greater(t, spent(400), 3*spent(100))
	require.Less(t, spent(400), 6*spent(100))
}

// TestReckonedFigures: what follows from 120 and 30, and what does not. Of many figures only sums
// with a fraction count.
func TestReckonedFigures(t *testing.T) {
	turn := NewTurn(nil, nil, Words{User: "take 120 and 30"}, 0, nil)
	for number, want := range map[float64]bool{
		150: true, 90: true, 3600: true, 4: true, 0.25: true, 400: true, 25: true, 36: true, 84: true, 156: true, 66: true,
		151: false, 91: false, 3601: false, 5: false, 401: false, 37: false, 85: false, 157: false, 150.004: true, 150.006: false,
	} {
		require.Equal(t, want, turn.isReckoned(number, nil), "%v", number)
	}
	many := "take 10.25 and 3.5"
	for i := range 30 {
		many += fmt.Sprint(" and ", 1000+7*i)
	}
	turn = NewTurn(nil, nil, Words{User: many}, 0, nil)
	for number, want := range map[float64]bool{13.75: true, 6.75: true, 13.76: false, 2007: false, 996.5: true} {
		require.Equal(t, want, turn.isReckoned(number, nil), "%v among many", number)
	}
	require.True(t, NewTurn(nil, nil, Words{}, 0, nil).isReckoned(27, nil, 9, 3))
	require.True(t, near(1e9+0.5, 1e9), "large figures are rounded")
}

// TestHeldValues: a record holds a value however it is written.
func TestHeldValues(t *testing.T) {
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: "ship", Args: []byte(`{"amount":48000,"grams":2000,"file":"/srv/a/Report-9.txt"}`)}}
	record.Result = tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(`{"at":"14:00","hours":3}`)}
	turn := NewTurn(nil, nil, Words{}, 0, []*tooltrack.Record{record})
	for text, want := range map[string]bool{
		"48k": true, "49k": false, "48 kids": false, "48kB": false, "2 kg": true, "7 kg": false, "48000": true, "x/Report-9.txt": true,
		"x/Report-8.txt": false, "5 pm": true, "6 pm": false, "14:00": true,
	} {
		values := reading.English().Values(nil, text)
		require.Equal(t, want, turn.record(1).holds(&values[0]), "%q, read as %v", text, values[0].Kind)
		require.Equal(t, want, turn.isRecorded(&values[0], nil), text)
		require.False(t, turn.isRecorded(&values[0], turn.records([]int{1})), text)
	}
}

// TestSlots: which numbers count things.
func TestSlots(t *testing.T) {
	for text, want := range map[string]slot{
		"I sent 3 mails.": count, "I sent 12 mails.": count, "I sent 13 mails.": amount, "I sent three mails.": count, "I paid 3 EUR.": amount,
		"I sent 3 percent of it.": amount, "I took one of the 2 mails.": amount, "I sent 2.5 mails.": amount,
		"I sent 3 of them.": count, "I sent 3  mails.": count, "I gave it 3.": amount, "I sent BK-5590.": id, "I sent it on 12 June.": date, "I sent it at 9:30.": clock,
	} {
		claims := Read(text)
		c := &claims[0]
		news := c.figures()
		require.NotEmpty(t, news, text)
		require.Equal(t, want, c.slotOf(news[len(news)-1]), "%s: %s", text, news[len(news)-1].String())
	}
}

func TestThousands(t *testing.T) {
	for after, want := range map[string]bool{
		"k": true, "K": true, "k.": true, "k ": true, "k2": true, "k{": true, "k`": true, "": false, "x": false, "kg": false, "ka": false,
		"kz": false, "KB": false, " k": false,
	} {
		require.Equal(t, want, isThousands(after), "%q", after)
	}
}

// TestLongTextsAreLookedThrough: a look for a piece of text spends less than its bytes.
func TestLongTextsAreLookedThrough(t *testing.T) {
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: "send_mail", Args: []byte(`{"to":"bob"}`)}}
	record.Result = tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(`"` + strings.Repeat("word ", 2000) + `"`)}
	turn := NewTurn(nil, nil, Words{}, 0, []*tooltrack.Record{record})
	turn.record(1).hasText("nothing of it")
	require.Greater(t, turn.work, 100)
	require.Less(t, turn.work, 1000)
}
