package provider

import (
	"bytes"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"

	"github.com/bonafide-go/bonafide/guard"
)

//go:embed answers
var answerFiles embed.FS

// render returns the lines of a template that hold something, as compact JSON where they are JSON.
type render func(name string, data any) []string

func newRender() render {
	answers := template.New("")
	var lines render = func(name string, data any) (all []string) {
		var out bytes.Buffer
		if err := answers.ExecuteTemplate(&out, name, data); err != nil {
			panic(err) // the templates are part of the program and covered by its tests
		}
		for line := range strings.Lines(out.String()) {
			var compact bytes.Buffer
			if line = strings.TrimSpace(line); json.Compact(&compact, []byte(line)) == nil {
				line = compact.String()
			}
			if line != "" {
				all = append(all, line)
			}
		}
		return all
	}
	template.Must(answers.Funcs(template.FuncMap{
		"q": quoted, "pieces": pieces, "lines": lines,
		"array": func(name string, data any) string { return strings.Join(lines(name, data), ",") },
		"add":   func(a, b int) int { return a + b },
	}).ParseFS(answerFiles, "answers/*.tmpl"))
	return lines
}

// answer is what the templates write down.
type answer struct {
	N                   int // numbers the answers
	Text, Refusal, Stop string
	Calls               []answeredCall
	// Streams: it is written in pieces.
	Streams bool
	// WantsUsage (chat completions) and WantsEncrypted (Responses) are what the request asks for.
	WantsUsage, WantsEncrypted bool
	// Thinks (Messages): the model says its thoughts first. Paused: it can be gone on with.
	Thinks, Paused bool

	count int
}

type answeredCall struct{ ID, Tool, Args string }

func (f *wireFormat) said(serial int, said guard.Response) *answer {
	a := &answer{N: serial, Text: said.Message.Text, Refusal: said.Refusal, Paused: said.Stop == guard.StopPaused}
	for _, call := range said.Message.Calls { // no provider gives an id twice
		a.Calls = append(a.Calls, answeredCall{fmt.Sprintf("%s_%d", call.ID, serial), call.Tool, string(call.Args)})
	}
	if a.Stop = f.stops[said.Stop]; a.Stop == "" || said.Stop == guard.StopEnd {
		a.Stop = f.stops[guard.StopEnd]
		if len(a.Calls) > 0 && f.called != "" {
			a.Stop = f.called
		}
	}
	return a
}

// Says reports whether there is an answer to think about.
func (a *answer) Says() bool { return a.Text != "" || len(a.Calls) > 0 }

// Thought is what a model thinks, and Signature what Gemini knows it by.
func (a *answer) Thought() string { return fmt.Sprintf("What to do? <%d> & \u00fc", a.N) }
func (a *answer) Signature() string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "sig %d", a.N))
}

// Pieces are those of the text that hold something, or all of it where it is not streamed.
func (a *answer) Pieces() (all []string) {
	cut := []string{a.Text}
	if a.Streams {
		cut = pieces(a.Text)
	}
	for _, piece := range cut {
		if piece != "" {
			all = append(all, piece)
		}
	}
	return all
}

// Next counts from 0, and Last is what it said before.
func (a *answer) Next() int { a.count++; return a.Last() }
func (a *answer) Last() int { return a.count - 1 }

// quoted writes a text as a server does: with <, > and & as they are.
func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a text always marshals
	return strings.TrimSpace(out.String())
}

// pieces cuts a text as servers do, somewhere inside.
func pieces(text string) []string {
	if len(text) < 4 {
		return []string{text}
	}
	return strings.SplitAfterN(text, text[len(text)/2:len(text)/2+1], 3)
}
