// Package chatwiretest measures what a guard adds to a turn, for those who bring
// it into another client. A [Clock] stands on both sides of the guard, and [Within]
// holds what passes between them to what the same turn costs on chat completions:
//
//	clock := &chatwiretest.Clock{}
//	client := anthropic.NewClient(option.WithMiddleware(clock.Outside, anthropicguard.Middleware(g, nil), clock.Inside))
//	chatwiretest.Within(t, 1.3, chatwiretest.ChatTransport(), chatwiretest.Turn{Name: "mine", Clock: clock, Run: run})
//
// Times are of this machine and this moment: only ratios within one run mean
// anything. It is meant for tests.
package chatwiretest
