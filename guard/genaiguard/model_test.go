package genaiguard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/genai"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/genaiguard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/guard/internal/provider"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func taskTools() []tooltrack.Tool {
	byID := []byte(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)
	return []tooltrack.Tool{
		{Name: "delete_task", Description: "Delete a task.", Effect: tooltrack.Changes, Parameters: byID},
		{Name: "list_tasks", Description: "List the tasks.", Effect: tooltrack.Reads},
	}
}

// open begins a conversation with a simulated Gemini.
func open(t *testing.T, how func(*guardtest.Setting) guardtest.Talk, steps ...guardtest.Step) (guardtest.Talk, *provider.Provider) {
	t.Helper()
	g, err := guard.New(taskTools(), nil)
	require.NoError(t, err)
	p := provider.New(t, steps...)
	done := guardtest.Tools(map[string]guard.ExecutorFunc{
		"delete_task": guardtest.Returns(`{"success":true,"data":{"id":"1","title":"Read book"}}`), "list_tasks": guardtest.Returns(`["Read book"]`),
	})
	return how(&guardtest.Setting{T: t, Guard: g, Address: p.URL, Executor: done, Tools: taskTools()}), p
}

func deletes(id string) tooltrack.Call { return guardtest.Tool("delete_task", `{"id":`+id+`}`) }

// TestSignaturesStayWhereTheyWere: the provider refuses a call of the turn that comes back
// without the signature that it had. A denied first call of two stays, and is answered.
func TestSignaturesStayWhereTheyWere(t *testing.T) {
	for name, how := range map[string]func(*guardtest.Setting) guardtest.Talk{
		"model": openModel(false, false), "model, streamed": openModel(true, true), "loop": openLoop(false, false), "loop, streamed": openLoop(true, true),
	} {
		t.Run(name, func(t *testing.T) {
			talk, p := open(t, how,
				guardtest.Call(deletes("7"), guardtest.Tool("list_tasks", `{}`)), // 7 is no text, so it is denied
				guardtest.Call(deletes(`"1"`), guardtest.Tool("list_tasks", `{}`)),
				guardtest.Say("I've deleted Read book."))
			text, err := talk(context.Background(), "delete Read book")
			require.NoError(t, err)
			require.Equal(t, "I've deleted Read book.", text)
			require.Empty(t, p.Refused())
			second := string(p.Received()[1].Body)
			require.Contains(t, second, `"thoughtSignature":"c2lnIDE="`)
			require.Contains(t, second, `"functionResponse":`)
			require.Contains(t, second, `"error":`)
			require.Less(t, strings.Index(second, "c2lnIDE="), strings.Index(second, `"functionResponse":`))
		})
	}
}

// TestTheModelKeepsTheHostsConfiguration: its tools of Google's own, its prompt and its
// settings; tools that the guard does not know are refused before anything is sent.
func TestTheModelKeepsTheHostsConfiguration(t *testing.T) {
	ask := func(config *genai.GenerateContentConfig) (*provider.Provider, error) {
		p := provider.New(t, guardtest.Say("Good morning!"))
		model, err := genaiguard.NewModel(clientOf(t, p.URL, false, nil), "sim", &genaiguard.Options{Config: config})
		require.NoError(t, err)
		require.Equal(t, "sim", model.Capabilities().Name)
		_, err = model.Generate(context.Background(), guard.Request{
			Messages: []guard.Message{{Role: guard.RoleSystem, Text: "Be kind."}, {Role: guard.RoleUser, Text: "good morning"}}, Tools: taskTools(),
		})
		return p, err
	}
	p, err := ask(&genai.GenerateContentConfig{
		Temperature: genai.Ptr[float32](0.25), SystemInstruction: genai.NewContentFromText("Be brief.", genai.RoleUser),
		Tools: []*genai.Tool{{GoogleSearch: &genai.GoogleSearch{}}},
	})
	require.NoError(t, err)
	body := string(p.Received()[0].Body)
	require.Equal(t, "/v1beta/models/sim:generateContent", p.Received()[0].Path)
	for _, piece := range []string{`"temperature":0.25`, `"Be brief."`, `"Be kind."`, `"googleSearch":{}`, `"delete_task"`} {
		require.Contains(t, body, piece)
	}
	p, err = ask(&genai.GenerateContentConfig{Tools: toolsOf(taskTools())})
	require.ErrorContains(t, err, "describe it to the guard")
	require.Empty(t, p.Received())
}

// TestWhoLeavesEarlyEndsTheRequest: a stream that nobody reads any more is closed.
func TestWhoLeavesEarlyEndsTheRequest(t *testing.T) {
	p := provider.New(t, guardtest.Say(strings.Repeat("Good morning! ", 2000)), provider.Status(403))
	model, err := genaiguard.NewModel(clientOf(t, p.URL, false, nil), "sim", nil)
	require.NoError(t, err)
	request := guard.Request{Messages: []guard.Message{{Role: guard.RoleUser, Text: "good morning"}}, Tools: taskTools()}
	for range model.Stream(context.Background(), request) {
		break
	}
	var last error
	for _, err := range model.Stream(context.Background(), request) {
		last = err
	}
	require.ErrorContains(t, last, "403")
}
