package main

import (
	"encoding/json"
	"net/http"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
)

// chatEvents answers with progress as it happens, and the response at the end. A client that has
// left ends the turn through its context.
//
//	event: progress
//	data: {"event":"calling","tool":"delete_task"}
//
//	event: reply
//	data: {"conversation_id":…}
func (a *api) chatEvents(w http.ResponseWriter, r *http.Request, request chatRequest) {
	stream, end := serving.BeginEvents(w)
	request.progress = func(p Progress) {
		if data, err := json.Marshal(p); err == nil {
			stream.Send("progress", data)
		}
	}
	_, answer, err := a.service.chat(r.Context(), request)
	end()
	if err == nil {
		stream.Send("reply", answer)
	} else if data, err := json.Marshal(a.problem(err)); err == nil {
		stream.Send("problem", data)
	}
}
