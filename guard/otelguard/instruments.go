package otelguard

import (
	"errors"

	"go.opentelemetry.io/otel/metric"
)

// instruments are the metrics that are counted as things happen.
type instruments struct {
	duration     metric.Float64Histogram
	tokens       metric.Int64Histogram
	turns        metric.Int64Counter
	turnDuration metric.Float64Histogram
	calls        metric.Int64Counter
	extraCalls   metric.Int64Counter
	extraTokens  metric.Int64Counter
	approvals    metric.Float64Histogram
	readBacks    metric.Int64Counter
}

// The boundaries that the conventions ask for.
var (
	secondBuckets = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	waitBuckets   = []float64{1, 10, 60, 300, 1800, 3600, 4 * 3600, 24 * 3600, 7 * 24 * 3600} // people take their time
	tokenBuckets  = []float64{
		1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
	}
)

func newInstruments(meter metric.Meter) (i instruments, err error) {
	var errs [9]error
	i.duration, errs[0] = meter.Float64Histogram("gen_ai.client.operation.duration", metric.WithUnit("s"),
		metric.WithDescription("GenAI operation duration."), metric.WithExplicitBucketBoundaries(secondBuckets...))
	i.tokens, errs[1] = meter.Int64Histogram("gen_ai.client.token.usage", metric.WithUnit("{token}"),
		metric.WithDescription("Number of input and output tokens used."),
		metric.WithExplicitBucketBoundaries(tokenBuckets...))
	i.turns, errs[2] = meter.Int64Counter("bonafide.turns", metric.WithUnit("{turn}"),
		metric.WithDescription("Turns that ended, by outcome."))
	i.turnDuration, errs[3] = meter.Float64Histogram("bonafide.turn.duration", metric.WithUnit("s"),
		metric.WithDescription("Time from the user's message to what may be shown."),
		metric.WithExplicitBucketBoundaries(secondBuckets...))
	i.calls, errs[4] = meter.Int64Counter("bonafide.tool.calls", metric.WithUnit("{call}"),
		metric.WithDescription("Tools that ran, by what came of them."))
	i.extraCalls, errs[5] = meter.Int64Counter("bonafide.extra.model_calls", metric.WithUnit("{call}"),
		metric.WithDescription("Model calls that the guard added: re-asks and requests for proof."))
	i.extraTokens, errs[6] = meter.Int64Counter("bonafide.extra.tokens", metric.WithUnit("{token}"),
		metric.WithDescription("Tokens of the model calls that the guard added."))
	i.approvals, errs[7] = meter.Float64Histogram("bonafide.approval.wait", metric.WithUnit("s"),
		metric.WithDescription("Time until a person decided about a call, by what was decided."),
		metric.WithExplicitBucketBoundaries(waitBuckets...))
	i.readBacks, errs[8] = meter.Int64Counter("bonafide.read_backs", metric.WithUnit("{read}"),
		metric.WithDescription("Changes that were read back from the world, by what was seen."))
	return i, errors.Join(errs[:]...)
}
