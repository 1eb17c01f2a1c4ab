package main

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestIdentityOf(t *testing.T) {
	header := http.Header{}
	header.Set("X-Bonafide-Owner", "ann")
	header.Set("x-bonafide-turn", "m1")
	who, err := identityOf(header)
	require.NoError(t, err)
	require.Equal(t, identity{owner: "ann", turn: "m1"}, who)
	for _, bad := range []string{strings.Repeat("x", 201), "a\x1b[31m", "a\u202eb"} {
		header.Set("X-Bonafide-Owner", bad)
		_, err := identityOf(header)
		require.ErrorContains(t, err, "X-Bonafide-Owner: at most 200 printable bytes")
	}
}

// TestTheHeadersStayHere: they are not the server's business, and a bad one is
// told.
func TestTheHeadersStayHere(t *testing.T) {
	var got http.Header
	server := serverOf(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	w := newWorld(t, server)
	send(
		t,
		w.url+"/v1/x",
		"{}",
		"X-Bonafide-Owner",
		"ann",
		"X-Bonafide-Anything",
		"1",
		"X-Mine",
		"2",
		"Connection",
		"X-Hop",
		"X-Hop",
		"3",
	)
	require.Equal(t, "2", got.Get("X-Mine"))
	for name := range got {
		require.NotContains(t, name, "Bonafide")
		require.NotContains(t, name, "Hop", "headers between two neighbours are not handed on")
		require.NotContains(t, name, "Forwarded")
	}
	back := send(t, w.url+"/v1/x", "{}", "X-Bonafide-Turn", strings.Repeat("x", 300))
	require.Equal(t, 400, back.status)
	require.Contains(t, back.body, "X-Bonafide-Turn")
}

// TestNamesThatAreDerived: all requests of a turn get one, other turns and other
// conversations others.
func TestNamesThatAreDerived(t *testing.T) {
	user := func(text string) guard.Message { return guard.Message{Role: guard.RoleUser, Text: text} }
	says := func(text string) guard.Message { return guard.Message{Role: guard.RoleAssistant, Text: text} }
	first := []guard.Message{{Role: guard.RoleSystem, Text: "s"}, user("a")}
	g, err := guard.New([]tooltrack.Tool{{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes}}, nil)
	require.NoError(t, err)
	named := func(messages []guard.Message) identity {
		return identity{}.complete(messages, g.TurnStart(context.Background(), messages))
	}
	begun := named(first)
	require.Equal(t, guard.LocalOwner, begun.owner)
	looping := named(append(first[:2:2], says("calls"), guard.Message{Role: guard.RoleTool, Text: "ok"}))
	require.Equal(t, begun, looping)
	later := named(append(first[:2:2], says("done"), user("b")))
	require.Equal(t, begun.conversation, later.conversation)
	require.NotEqual(t, begun.turn, later.turn)
	require.NotEqual(t, begun.conversation, named([]guard.Message{user("a")}).conversation)
	require.NotEqual(
		t,
		named([]guard.Message{user("ab"), user("c")}).turn,
		named([]guard.Message{user("a"), user("bc")}).turn,
	)
	require.Equal(t, identity{"o", "c", "t", "m"}, identity{"o", "c", "t", "m"}.complete(first, 1))
	result := guard.Message{Role: guard.RoleTool, Text: "ok"}
	goesOn := append(first[:2:2], says("calls"), result, user("Analyze the tool result and continue."))
	require.Equal(t, begun, named(goesOn), "a message that only continues the turn is none of its own")
	require.Equal(t, begun, named(append(goesOn, says("calls"), result)))
	require.NotEqual(t, begun.turn, named(append(first[:2:2], says("calls"), result, user("delete the task Call mom"))).turn)
	require.NotEmpty(t, named(nil).turn, "a request without a user's message has a name, too")
}
