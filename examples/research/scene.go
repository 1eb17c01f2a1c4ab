package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/tooltrack"
)

//go:embed scenes.txt
var scenesText string

var scenes = simmodel.Scenes(scenesText, map[string]string{
	"oversized": strings.Repeat("Spring tides follow full moon. ", 2000),
})

// wants are what a scene may want of its outcome.
var wants = stage.Wants[outcome]{
	"completed": func(o outcome, _ string) error { return stage.Ended(o.reply, o.err, "completed_with_work") },
	"blocked":   func(o outcome, _ string) error { return stage.Ended(o.reply, o.err, "completed_with_blocker") },
	"corrected": func(o outcome, n string) error { return stage.Corrected(o.reply, n) },
	"calls": func(o outcome, n string) error {
		return stage.Count("calls that succeeded", o.reply.Execution.Executed, n)
	},
	"sources": func(o outcome, n string) error {
		return stage.Count("sources", len(tooltrack.EvidenceOf(o.reply.Records).Sources), n)
	},
	"audited":      func(o outcome, n string) error { return stage.Count("lines in the audit log", len(o.audit), n) },
	"refused":      refused,
	"hit-and-miss": hitAndMiss,
}

// refused asks for a denied call of a tool, by a rule, that the model was told about.
func refused(o outcome, toolAndRule string) error {
	tool, rule, _ := strings.Cut(toolAndRule, " ")
	if !slices.ContainsFunc(o.reply.Records, func(r *tooltrack.Record) bool {
		return r.Tool == tool && r.Ruling.Denied && r.Ruling.Rule == rule && r.Ruling.Reason != ""
	}) {
		return fmt.Errorf("no call of %s was refused by the rule %s", tool, rule)
	}
	return nil
}

// hitAndMiss asks for the content of the one, and for a valid result with the error in its metadata for the other.
func hitAndMiss(o outcome, _ string) error {
	if len(o.reply.Records) != 2 {
		return fmt.Errorf("there are %d records, want 2", len(o.reply.Records))
	}
	found, missed := o.reply.Records[0].Result, o.reply.Records[1].Result
	if !found.Success() || !strings.Contains(found.Text(), "neap tide") {
		return fmt.Errorf("the hit is %q", found.Text())
	}
	if missed.Success() || missed.Metadata["error"] != errNoChunk.Error() {
		return errors.New("the miss has no error in its metadata")
	}
	return nil
}

// behave plays the part that a scene asks for, with tool calls or in the format that the prompt explains.
func behave(ctx context.Context, request simmodel.Request) simmodel.Answer {
	return spoken(request, simmodel.Play(scenes)(ctx, request))
}

// spoken is the answer of a model that knows nothing of tool calls.
func spoken(request simmodel.Request, answer simmodel.Answer) simmodel.Answer {
	if len(request.Tools) > 0 || len(answer.Calls) == 0 {
		return answer
	}
	var text strings.Builder
	for _, call := range answer.Calls {
		fmt.Fprintf(&text, "TOOL_CALL\n{\"name\": %q, \"arguments\": %s}\nEND_TOOL_CALL\n", call.Name, call.Arguments)
	}
	return simmodel.Say(text.String())
}
