package assistant

import (
	"context"
	"testing"

	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestNamespaceIsChosen: where the model does not say where to write, the tool
// would choose, and no list could hold it back.
func TestNamespaceIsChosen(t *testing.T) {
	listed := Rules(nil, policy.OneOf(Namespaces...))
	asked := Rules(nil, MayWrite(func(owner, namespace string) bool { return namespace == "of_"+owner })...)
	for _, c := range []struct {
		rules            policy.Rules
		namespace, fault string
	}{
		{listed, `,"namespace":"default"`, ""},
		{listed, ``, "required"},
		{listed, `,"namespace":null`, "required"},
		{listed, `,"Namespace":"default"`, "required"},
		{listed, `,"namespace":"Default"`, "one_of"},
		{listed, `,"namespace":["default"]`, "type"},
		{asked, `,"namespace":"of_ada"`, ""},
		{asked, `,"namespace":"of_eve"`, "namespace"},
		{asked, `,"namespace":7`, "type"},
		{asked, `,"namespace":null`, "required"},
	} {
		set, err := policy.New([]tooltrack.Tool{{Name: "memory_write"}}, &policy.Options{Rules: c.rules})
		if err != nil {
			t.Fatal(err)
		}
		call := tooltrack.Call{Tool: "memory_write", Args: []byte(`{"content":"x"` + c.namespace + `}`)}
		d, err := set.Review(context.Background(), policy.Proposal{Owner: "ada", Call: call})
		if err != nil || d.Rule != c.fault || d.Allowed() != (c.fault == "") {
			t.Errorf("%s: %s by %q: %v", c.namespace, d.Kind, d.Rule, err)
		}
	}
}
