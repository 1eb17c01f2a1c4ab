// Package policy answers one question: may this call run, and with which
// arguments?
//
// A [Set] is compiled once from the tools and from [Rules]. [Set.Review] then
// judges each proposed call and returns a [Decision]: deny, approve, rewrite or hold.
// Deny is the zero value, every decision names its rule, and every reason tells
// a model what to change:
//
//	rules := policy.Rules{Tools: map[string][]policy.Argument{
//		"web_search": {policy.Arg("query", policy.Required(), policy.Length(2, 500))},
//	}}
//	set, err := policy.New(tools, &policy.Options{Rules: rules, Strict: true})
//	…
//	decision, err := set.Review(ctx, policy.Proposal{Owner: user, Call: call})
//	if err != nil || !decision.Allowed() {
//		return refuse(decision.Reason)
//	}
//	call.Args = decision.Args
//
// Arguments are decoded strictly, once for all rules: one object, no key twice
// (not even by case), valid UTF-8, bounded depth and size. Such bytes mean the
// same to every decoder, so approved ones run exactly as sent; rewritten ones
// are judged again before they run.
//
// Besides arguments, a set judges what spans calls: [Mode] limits the calls of a
// turn, a [Checklist] holds resolving tools back until the analysis is done, and an
// [Identity] argument never comes from the model. [NeedsApproval] leaves the decision
// to a person. A [Rate] is spent last, by [Set.Spend], so that a denied call costs
// nothing. The texts for the prompt are printed from the same definitions. A [Web]
// goes with tools that open URLs: it judges the address that is really dialled.
//
// All types are immutable once built and safe for concurrent use; only a
// [Limiter] has state, which replicas can share. The package runs no
// tool and decides nothing by what a text claims.
package policy
