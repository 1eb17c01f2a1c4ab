// Package genaiguard joins the guard to google.golang.org/genai, Google's Go client for
// Gemini, on the Gemini API and on Vertex AI. A new loop takes a [Model] and lets the guard
// run the turn:
//
//	client, err := genai.NewClient(ctx, nil)
//	model, err := genaiguard.NewModel(client, "gemini-3-flash-preview", nil)
//	reply, err := g.Run(ctx, model, executor, guard.Input{User: "delete Read book"})
//
// A loop that already exists, such as one of ADK or Genkit, is guarded by one line where its
// client is made:
//
//	client, err := genai.NewClient(ctx, &genai.ClientConfig{HTTPClient: genaiguard.HTTPClient(g, nil, nil)})
//
// The model sends and reads the bytes of the format itself, strictly (see package chatwire),
// so that numbers stay exact and thought signatures where they were, and uses the client for
// everything else: address, keys, configuration, retries.
//
// It lies in a module of its own, because the client brings Google's cloud libraries with
// it. A Model is safe for concurrent use.
package genaiguard
