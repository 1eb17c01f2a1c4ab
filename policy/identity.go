package policy

import (
	"encoding/json"
	"errors"
)

// Identity is an argument that says on whose behalf a tool acts. A model must
// never choose it.
type Identity struct {
	// Arg is its name, such as "user_id". Other spellings of it (userId, UserID)
	// are refused in any case.
	Arg string
	// Set fills the argument with the request's owner: whatever the model sent is
	// replaced, and where the tool's schema declares it, it is added. When false,
	// a call that carries the argument is refused.
	Set bool
}

// identity settles who asks before any other rule looks at the arguments.
func (r *review) identity(rules *toolRules, identity []Identity) {
	for i := range identity {
		r.identify(rules, &identity[i])
	}
}

func (r *review) identify(rules *toolRules, id *Identity) {
	sent := false
	for i := range r.args.members {
		m := &r.args.members[i]
		name := r.args.name(i)
		if !sameIdentity(name, id.Arg) || m.kind == Null {
			continue
		}
		if !id.Set || string(name) != id.Arg {
			r.add("identity", string(name), "%s may not be chosen by the caller; leave it out", quote(name))
			return
		}
		sent = true
	}
	if id.Set && (sent || rules.declares([]byte(id.Arg))) {
		r.setIdentity(id.Arg)
	}
}

func (r *review) setIdentity(name string) {
	if r.request.Owner == "" {
		r.fail(errors.New("the request names no owner; an identity argument cannot be set"))
		return
	}
	if sent := r.lookup(name); sent.kind == String && string(sent.text) == r.request.Owner {
		return
	}
	raw, err := json.Marshal(r.request.Owner)
	if err != nil {
		r.fail(err)
		return
	}
	r.setReplaced(name, raw)
	r.notes = append(r.notes, Fault{Rule: "identity", Arg: name, Reason: name + " was set from the caller"})
}

// sameIdentity compares names without case and separators, because user_id,
// userId and User-ID reach the same field of a lenient decoder.
func sameIdentity(name []byte, arg string) bool {
	if !isASCII(name) {
		name = []byte(foldKey(name))
	}
	i, j := 0, 0
	for {
		for i < len(name) && separator(name[i]) {
			i++
		}
		for j < len(arg) && separator(arg[j]) {
			j++
		}
		if i == len(name) || j == len(arg) {
			return i == len(name) && j == len(arg)
		}
		if lower(name[i]) != lower(arg[j]) {
			return false
		}
		i++
		j++
	}
}

func separator(c byte) bool { return c == '_' || c == '-' || c == '.' || c == ' ' }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}
