package main

import (
	"encoding/json"
	"errors"
	"net/http"
)

// problem is an error of transport or authorisation, as RFC 9457 has it.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
}

func newProblem(status int, detail string) *problem {
	return &problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail}
}

func (p *problem) Error() string { return p.Detail }

// problemFor is an error of the service as a client may see it. What is our own
// fault is not explained to strangers.
func problemFor(err error) *problem {
	var known *problem
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &tooLarge):
		return newProblem(http.StatusRequestEntityTooLarge, "the body is too large")
	case errors.Is(err, errNoConversation):
		return newProblem(http.StatusNotFound, err.Error())
	case errors.Is(err, errKeyReused):
		return newProblem(http.StatusUnprocessableEntity, err.Error())
	case errors.Is(err, errStillRunning):
		return newProblem(http.StatusConflict, err.Error())
	}
	return newProblem(http.StatusInternalServerError, "something went wrong; it was logged")
}

func (p *problem) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client may have left
}
