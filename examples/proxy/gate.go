package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/internal/clip"
	"github.com/bonafide-go/bonafide/policy"
)

// gate chooses the guard for each request that offers tools, says whose turn it is, and follows it.
type gate struct {
	sets     *toolsets
	board    *board
	reports  *reports
	observe  bool
	logger   *slog.Logger
	file     *toolFile
	memory   memoryBudget
	passedBy atomic.Uint64 // requests with tools that were not judged
}

// errBusy says that there is no room to judge another request.
var errBusy = errors.New("the proxy holds as much of requests and answers as it may; try again in a moment")

// handle is what chatwire asks about a request.
func (g *gate) handle(ctx context.Context, request *chatwire.Request) (chatwire.Handling, error) {
	p := passageOf(ctx)
	handling, err := g.begin(ctx, p, request)
	if err != nil {
		p.fault = err
		g.passedBy.Add(1)
		g.logger.WarnContext(ctx, "a request is not judged", "error", loggable(err), "refused", !g.observe)
		g.board.update(g.board.begin(p.who, ""), func(view *turnView) {
			view.State = map[bool]state{true: unjudged, false: refused}[g.observe]
			view.Steps = []step{{"found", "not judged: " + loggable(err)}}
		})
	}
	return handling, err
}

func (g *gate) begin(ctx context.Context, p *passage, request *chatwire.Request) (chatwire.Handling, error) {
	tools := request.Tools
	if len(tools) == 0 { // the answer to results of calls
		tools = request.CalledTools()
	}
	set, err := g.sets.Of(tools)
	if err != nil {
		return chatwire.Handling{}, err
	}
	start := set.guard.TurnStart(ctx, request.Messages)
	who := p.who.complete(request.Messages, start)
	who.mode = cmp.Or(who.mode, g.file.Mode)
	if _, known := g.file.Modes[who.mode]; who.mode != "" && !known {
		modes := strings.Join(slices.Sorted(maps.Keys(g.file.Modes)), ", ")
		return chatwire.Handling{}, fmt.Errorf("%sMode: there is no mode %q; there are: %s",
			headerPrefix, who.mode, cmp.Or(modes, "none; the file of -tools can name some"))
	}
	if !g.memory.admit(p) {
		return chatwire.Handling{}, errBusy
	}
	turn := request.Messages[max(start, 0):]
	g.reports.take(who, set.guard, turn)
	f := &following{board: g.board, view: g.board.begin(who, set.name), observe: g.observe}
	f.begin(userText(turn), set.guard.RecordsOf(turn, nil))
	input := guard.Input{Owner: who.owner, Conversation: who.conversation, Turn: who.turn, Mode: who.mode}
	return chatwire.Handling{
		Context: guard.NewContext(context.WithValue(ctx, followKey{}, f), input), Guard: set.guard, Model: f.listen,
		End: func(response guard.Response, err error) {
			g.memory.release(p)
			f.end(response, err)
		},
	}, nil
}

func userText(turn []guard.Message) string {
	if len(turn) == 0 || turn[0].Role != guard.RoleUser {
		return ""
	}
	return turn[0].Text
}

// loggable is an error as it may stand in the log: on one line, cut, and without what looks like a secret.
func loggable(err error) string {
	return clip.Text(policy.Printable(policy.HideSecrets(err.Error())), 300)
}

// headerPrefix begins the headers by which a client says whose turn it is. They are not handed on.
const headerPrefix = "X-Bonafide-"

// maxHeader bounds what such a header may hold.
const maxHeader = 200

// identity says whose request it is. Empty fields were not said.
type identity struct {
	owner, conversation, turn, mode string
}

func identityOf(header http.Header) (identity, error) {
	var who identity
	for name, into := range map[string]*string{
		"Owner": &who.owner, "Conversation": &who.conversation, "Turn": &who.turn, "Mode": &who.mode,
	} {
		value := header.Get(headerPrefix + name)
		if len(value) > maxHeader || value != policy.Printable(value) {
			return identity{}, fmt.Errorf("%s%s: at most %d printable bytes are read; send an id", headerPrefix, name, maxHeader)
		}
		if policy.HideSecrets(value) != value {
			return identity{}, fmt.Errorf("%s%s looks like a key, and names are logged; send an id", headerPrefix, name)
		}
		*into = value
	}
	return who, nil
}

// stripIdentity takes the proxy's own headers out.
func stripIdentity(header http.Header) {
	for name := range header {
		if strings.HasPrefix(name, headerPrefix) {
			delete(header, name)
		}
	}
}

// complete names what the client did not: the local owner, a conversation by its beginning, and a turn by all
// that was said up to its message, which every request of it repeats. Last is where that message stands, or -1.
func (who identity) complete(messages []guard.Message, last int) identity {
	if who.owner == "" {
		who.owner = guard.LocalOwner
	}
	if who.conversation != "" && who.turn != "" {
		return who
	}
	said, conversation := sha256.New(), ""
	for i := range messages[:last+1] {
		write(said, &messages[i])
		if conversation == "" && messages[i].Role == guard.RoleUser {
			conversation = name("c-", said)
		}
	}
	if who.conversation == "" {
		who.conversation = conversation
	}
	if who.turn == "" {
		who.turn = name("t-", said)
	}
	return who
}

func write(into hash.Hash, message *guard.Message) {
	field := func(text string) {
		fmt.Fprintf(into, "%d:", len(text))
		_, _ = io.WriteString(into, text) // a hash takes everything
	}
	field(string(message.Role))
	field(message.Text)
	for _, call := range message.Calls {
		field(call.ID)
		field(call.Tool)
		field(string(call.Args))
	}
}

func name(prefix string, of hash.Hash) string { return prefix + hex.EncodeToString(of.Sum(nil)[:8]) }
