package policy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
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

// otherIdentities are more names under which programs keep whose data a call
// may touch. A tool that declares one means something by it: the owner of a
// repository, the account that a payment goes to. One that does not may still
// read it, when it decodes its arguments into the fields that it keeps.
var otherIdentities = []string{
	"user", "uid", "username", "current_user", "current_user_id", "acting_user", "as_user", "owner", "owner_id",
	"tenant", "tenant_id", "account_id", "customer_id", "organization_id", "org_id", "principal", "on_behalf_of",
	"act_as", "run_as", "impersonate",
}

// addIdentity settles what each identity means for the tool.
func (t *toolRules) addIdentity(identity []Identity) error {
	if identity == nil {
		t.addUsualIdentities()
		return nil
	}
	for i, id := range identity {
		switch own := t.find([]byte(id.Arg)); {
		case id.Arg == "":
			return fmt.Errorf("identity[%d] has no argument name", i)
		case !id.Set && own != nil && own.required:
			return fmt.Errorf("%s is required, but refused as an identity; have it set from the caller", id.Arg)
		}
	}
	t.identities = identity
	return nil
}

// addUsualIdentities is the default: it refuses names that are not the tool's own
// and sets none. A user_id that a schema declares may be whom to look up. The other
// names are only known not to be the tool's own where its schema says which are.
func (t *toolRules) addUsualIdentities() {
	usual := []string{"user_id"}
	if t.declared {
		usual = append(usual, otherIdentities...)
	}
	for _, name := range usual {
		same := func(own Argument) bool { return isSameIdentity([]byte(own.name), name) }
		if !slices.ContainsFunc(t.arguments, same) {
			t.identities = append(t.identities, Identity{Arg: name})
		}
	}
}

// identify refuses or sets an identity argument. Only its exact name can be a declared one;
// every other spelling is among the strangers.
func (r *review) identify(rules *toolRules, id *Identity) {
	for _, i := range r.strangers {
		if name := r.args.fields[i].key; string(name) != id.Arg && isSameIdentity(name, id.Arg) {
			r.refuseIdentity(int(i), name)
		}
	}
	switch at := r.args.index(id.Arg); {
	case !id.Set && at >= 0:
		r.refuseIdentity(at, []byte(id.Arg))
	case id.Set && (at >= 0 || rules.find([]byte(id.Arg)) != nil):
		r.setIdentity(id.Arg)
	}
}

// refuseIdentity takes null for absent, as everywhere.
func (r *review) refuseIdentity(at int, name []byte) {
	if string(r.args.fields[at].value) != "null" {
		r.add("identity", string(name), "%s may not be chosen by the caller; leave it out", jsonspan.Quote(name))
	}
}

func (r *review) setIdentity(name string) {
	if r.owner == "" {
		r.fail(fmt.Errorf("the request names no owner, so the identity argument %s cannot be set; name the owner", name))
		return
	}
	if sent := r.value(name); sent.kind == String && string(sent.body) == r.owner {
		return
	}
	raw, err := json.Marshal(r.owner)
	if err != nil {
		r.fail(err)
		return
	}
	r.setReplaced(name, raw)
	r.notes = append(r.notes, Fault{Rule: "identity", Arg: name, Reason: name + " was set from the caller"})
}

// isSameIdentity compares names without case and separators, because user_id,
// userId and User-ID reach the same field of a lenient decoder.
func isSameIdentity(name []byte, arg string) bool { return bareName(foldKey(name)) == bareName(arg) }

// bareName is a name in lower case, without separators.
func bareName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-. ", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
