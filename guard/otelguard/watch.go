package otelguard

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/bonafide-go/bonafide/guard"
)

// row is one metric of the guard's counters.
type row struct {
	name, description string
	by                string // the attribute that tells its counts apart
	read              func(guard.Counters) map[string]uint64
}

type counts = map[string]uint64

var rows = append([]row{
	{"bonafide.guard.turns", "Turns that were begun, and those whose text was accepted.", "state",
		func(c guard.Counters) counts { return counts{"begun": c.Turns, "accepted": c.Accepted} }},
	{"bonafide.guard.reasks", "How often a model was asked again, and with success.", "kind",
		func(c guard.Counters) counts {
			return counts{
				"missing_tool": c.AskedAgain, "missing_tool_success": c.AskedAgainWithSuccess,
				"correction": c.Corrected, "correction_success": c.CorrectedWithSuccess,
			}
		}},
	{"bonafide.guard.proofs", "Requests for proof, and what came of them.", "result",
		func(c guard.Counters) counts {
			return counts{
				"asked": c.ProofsAsked, "kept": c.ProofsKept, "changed": c.ProofsChanged,
				"called": c.ProofsCalled, "missing": c.ProofsMissing, "skipped": c.ProofsSkipped,
			}
		}},
	{"bonafide.guard.refusals", "Turns that did not pass, by the kind of fault.", "fault",
		func(c guard.Counters) counts { return c.Refused }},
	{"bonafide.guard.denials", "Calls that were not allowed, by rule.", "rule",
		func(c guard.Counters) counts { return c.Denied }},
	{"bonafide.guard.doubts", "What the guard was not sure of, by kind.", "kind",
		func(c guard.Counters) counts { return c.Doubts }},
	{"bonafide.guard.would", "What an observing guard would have done.", "what",
		func(c guard.Counters) counts { return c.Would }},
	{"bonafide.guard.host_faults", "Failures of the host's own code that turns survived.", "callback",
		func(c guard.Counters) counts { return c.HostFaults }},
	{"bonafide.guard.calls", "Calls that did not run as sent.", "kind",
		func(c guard.Counters) counts {
			return counts{"rewritten": c.Rewritten, "not_repeated": c.Repeated, "abandoned": c.Abandoned}
		}},
	{"bonafide.guard.withheld", "What was kept from people.", "kind",
		func(c guard.Counters) counts {
			return counts{"text_beside_calls": c.Withheld, "sentence": c.SentencesWithheld}
		}},
}, limits)

// Watch exports counters, whichever way in the turns take: those of a guard, by its
// method Counters, or what a host with many guards has summed up. Counts must not
// fall: those of a guard that is gone still belong to the sum. Several guards need
// names to be told apart. Unregister what it returns when they are no longer used.
func (t *Telemetry) Watch(read func() guard.Counters, name string) (metric.Registration, error) {
	counters := make([]metric.Int64ObservableCounter, len(rows))
	observed := make([]metric.Observable, len(rows))
	for i, row := range rows {
		counter, err := t.meter.Int64ObservableCounter(row.name, metric.WithDescription(row.description))
		if err != nil {
			return nil, err
		}
		counters[i], observed[i] = counter, counter
	}
	return t.meter.RegisterCallback(func(_ context.Context, o metric.Observer) (err error) {
		defer func() { // a callback of the host's own ends no collection of others
			if fault := recover(); fault != nil {
				err = fmt.Errorf("reading the counters panicked: %v", fault)
			}
		}()
		now := read()
		for i, row := range rows {
			for value, n := range row.read(now) {
				o.ObserveInt64(counters[i], int64(n), metric.WithAttributes( // #nosec G115 -- counts of events
					attribute.String(row.by, value), attribute.String("bonafide.guard", name)))
			}
		}
		return nil
	}, observed...)
}
