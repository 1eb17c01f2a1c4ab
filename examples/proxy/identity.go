package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
)

// headerPrefix begins the headers by which a client says whose turn it is. They
// are not handed on.
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

// complete names what the client did not: nobody in particular, a conversation by
// its beginning, and a turn by all that was said up to the user's message. Clients
// send the whole conversation each time, so all requests of a turn get one name. Last is
// where the message stands that begins the turn; -1 if there is none.
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
