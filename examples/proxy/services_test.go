package main

import (
	"context"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// prover says the truth, and proves it when it is asked.
func prover(_ context.Context, request simmodel.Request) simmodel.Answer {
	if last := request.Messages[len(request.Messages)-1]; last.Role == "user" &&
		strings.HasPrefix(last.Content, "Check your answer before") {
		return simmodel.Say(`{"a":[1],"message":null}`)
	}
	return simmodel.Say(lie)
}
