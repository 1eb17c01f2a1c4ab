package tooltrack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// transfer declares an amount, a person, a kind of an enumeration, and a due date that may
// be null on purpose.
var transfer = tooltrack.Tool{Name: "transfer_money", Effect: tooltrack.Changes, Parameters: json.RawMessage(`{"type":"object","properties":{
	"amount":{"type":"number"},"to":{"type":"string"},"kind":{"type":"string","enum":["a","a "]},"due":{"type":["string","null"]},
	"until":{"anyOf":[{"type":"string"},{"type":"null"}]},"from":{"type":"string","nullable":true}}}`)}

// again begins two calls in one turn, with a fate between them, and reports whether the
// second may run, and what is said where it may not.
func again(t *testing.T, fate tooltrack.Result, first, second string, options *tooltrack.CallOptions) (ran bool, reason string) {
	t.Helper()
	turn := open(t, tooltrack.NewLedger(nil, nil), "turn")
	begun, err := turn.Begin(t.Context(), transfer, call(transfer, first), nil)
	require.NoError(t, err)
	require.True(t, begun.Run)
	_, err = turn.Finish(t.Context(), begun.Record, fate)
	require.NoError(t, err)
	begun, err = turn.Begin(t.Context(), transfer, call(transfer, second), options)
	require.NoError(t, err)
	return begun.Run, begun.Reason
}

var settledFates = []tooltrack.Result{tooltrack.ResultOf([]byte(`{"ok":true}`), nil), tooltrack.UnknownResult("lost"), {Status: tooltrack.Pending}}

// TestTheSameInOtherLettersDoesNotRunTwice: after a success, an unknown fate and while it
// waits.
func TestTheSameInOtherLettersDoesNotRunTwice(t *testing.T) {
	const first = `{"amount":100,"to":"José"}`
	spellings := []string{
		`{"amount":100.0,"to":"José"}`, `{"amount":1e2,"to":"José"}`, `{"amount":"100","to":"José"}`, `{"amount":"100.00","to":"José"}`,
		`{"amount":"$100","to":"José"}`, `{"amount":"$ 100.00","to":"José"}`, `{"amount":" 100 ","to":"José"}`, `{"amount":"１００","to":"José"}`,
		`{"to":"José","amount":100}`, "{ \"to\" : \"José\",\n\"amount\":100 }", `{"amount":100,"to":"Jos\u00e9"}`, `{"amount":100,"to":"José "}`,
		`{"amount":100,"to":"\tJosé\n"}`, `{"amount":100,"to":"Jose\u0301"}`, `{"amount":100,"to":"Ｊｏｓé"}`, `{"amount":100,"to":"Jo\u200bsé"}`,
		`{"amount":100,"to":"\u2066José\u2069"}`, `{"amount":100,"to":"José","note":null}`, `{"amount":100,"to":"José","note":""}`,
		`{"amount":100,"to":"José","note":" "}`, `{"amount":100,"to":"José","tags":[]}`, `{"amount":100,"to":"José","more":{}}`,
	}
	require.Len(t, spellings, 22)
	for _, fate := range settledFates {
		for _, second := range spellings {
			ran, reason := again(t, fate, first, second, nil)
			require.False(t, ran, "%s after %v", second, fate.Status)
			require.NotEmpty(t, reason)
		}
		ran, reason := again(t, fate, first, `{"amount":"100.00","to":"José"}`, nil)
		require.False(t, ran)
		require.Contains(t, reason, "in other letters")
		_, reason = again(t, fate, first, first, nil)
		require.NotContains(t, reason, "in other letters")
	}
	ran, _ := again(t, settledFates[0], `{"amount":1000,"to":"Ann"}`, `{"amount":"1,000.00","to":"Ann"}`, nil)
	require.False(t, ran, "groups of three")
	ran, _ = again(t, tooltrack.FailedResult("no"), first, `{"amount":"100","to":"José"}`, nil)
	require.True(t, ran, "after a failure it is the next attempt")
}

// TestOtherCallsBothRun: what only looks alike is another call.
func TestOtherCallsBothRun(t *testing.T) {
	pairs := [][2]string{
		{`{"to":"Ann"}`, `{"to":"ann"}`}, {`{"title":"Buy Milk"}`, `{"title":"buy milk"}`}, {`{"to":"Anna"}`, `{"to":"Аnna"}`}, // the second A is Cyrillic
		{`{"amount":100}`, `{"amount":101}`}, {`{"amount":100}`, `{"amount":-100}`}, {`{"amount":100}`, `{"amount":"100 EUR"}`},
		{`{"amount":"$100"}`, `{"amount":"€100"}`}, {`{"amount":1000}`, `{"amount":"1,00"}`}, {`{"amount":1.5}`, `{"amount":"1,5"}`},
		{`{"amount":9007199254740993}`, `{"amount":"9007199254740992"}`}, {`{"room":"7"}`, `{"room":"07"}`}, {`{"room":"1e3"}`, `{"room":"1000"}`},
		{`{"to":"Ann Lee"}`, `{"to":"AnnLee"}`}, {`{"to":"Ann Lee"}`, `{"to":"Ann  Lee"}`}, {`{"to":"Jose"}`, `{"to":"José"}`},
		{`{"id":"7"}`, `{"id":7}`}, {`{"task_id":"a "}`, `{"task_id":"a"}`}, {`{"taskID":"7.0"}`, `{"taskID":"7"}`},
		{`{"content":"a"}`, `{"content":"a "}`}, {`{"body":"ﬁ"}`, `{"body":"fi"}`}, {`{"code":"x=1 "}`, `{"code":"x=1"}`},
		{`{"path":"a "}`, `{"path":"a"}`}, {`{"command":"ls "}`, `{"command":"ls"}`}, {`{"query":"a "}`, `{"query":"a"}`},
		{`{"password":"100"}`, `{"password":"100.0"}`}, {`{"version":"1.1"}`, `{"version":"1.10"}`}, {`{"kind":"a"}`, `{"kind":"a "}`},
		{`{"due":null}`, `{}`}, {`{"until":null,"to":"Ann"}`, `{"to":"Ann"}`}, {`{"from":""}`, `{}`},
		{`{"on":false}`, `{}`}, {`{"n":0}`, `{}`}, {`{"tags":["a"]}`, `{"tags":["a "]}`}, {`{"at":{"x":"1"}}`, `{"at":{"x":1}}`},
		{`{"name":"` + strings.Repeat("x", 100) + `"}`, `{"name":"` + strings.Repeat("x", 100) + ` "}`},
	}
	require.GreaterOrEqual(t, len(pairs), 30)
	for _, pair := range pairs {
		for _, fate := range settledFates {
			for _, turned := range [][2]string{pair, {pair[1], pair[0]}} {
				ran, reason := again(t, fate, turned[0], turned[1], nil)
				require.True(t, ran, "%s and %s: %s", turned[0], turned[1], reason)
			}
		}
	}
}

// TestDistinctCalls: what the host knows to be another call runs once, and not twice.
func TestDistinctCalls(t *testing.T) {
	const hundred, text = `{"amount":100}`, `{"amount":"100.00"}`
	distinct := &tooltrack.CallOptions{Distinct: true}
	ran, _ := again(t, settledFates[0], hundred, text, distinct)
	require.True(t, ran)
	ran, _ = again(t, settledFates[0], hundred, `{ "amount":100.0 }`, distinct)
	require.False(t, ran, "it is the same call, byte by byte or nearly so")
	turn := open(t, tooltrack.NewLedger(nil, nil), "turn")
	for i, want := range []bool{true, true, false, false} {
		args := []string{hundred, text, text, hundred}[i]
		begun, err := turn.Begin(t.Context(), transfer, call(transfer, args), distinct)
		require.NoError(t, err)
		require.Equal(t, want, begun.Run, "call %d", i)
		if begun.Run {
			_, err = turn.Finish(t.Context(), begun.Record, settledFates[0])
			require.NoError(t, err)
		}
	}
	keyed := func(args string) (tooltrack.Begun, error) {
		return turn.Begin(t.Context(), transfer, call(transfer, args), &tooltrack.CallOptions{Key: "order 7"})
	}
	first, err := keyed(`{"amount":5,"note":null}`)
	require.NoError(t, err)
	require.True(t, first.Run)
	second, err := keyed(`{"amount":"5"}`)
	require.NoError(t, err, "a replay in other letters is the same call under a host's key")
	require.False(t, second.Run)
	_, err = keyed(`{"amount":6}`)
	require.ErrorIs(t, err, tooltrack.ErrKeyReused)
}
