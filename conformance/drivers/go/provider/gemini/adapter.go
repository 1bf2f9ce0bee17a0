// Package gemini is the adapter for Google's generateContent, as spec/loop/providers/gemini.md describes it.
package gemini

import (
	"context"
	"net/http"
	"regexp"
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
)

// Provider is the name of the provider in sessions.
const Provider = "gemini"

// legalName is a name under which the API takes a function. [GEMINI-8]
var legalName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]*$`)

// New is the adapter for one address and model, whose answers are streamed or not.
func New(client *http.Client, baseURL, key, name string, isStream bool) model.Invoke {
	return func(ctx context.Context, request model.Request, listener model.Listener) model.Response {
		if request.Model == "" {
			request.Model = name
		}
		names := wire.ToolNames(request, legalName, 64, listener)
		body, err := render(request, names, listener)
		if err != nil {
			return model.Response{StopReason: model.Failed, Error: err}
		}
		endpoint := &wire.Endpoint{
			Client:   client,
			Provider: Provider,
			URL:      strings.TrimSuffix(baseURL, "/") + path(request.Model, isStream),
			Header:   map[string]string{"x-goog-api-key": key},
			APIKey:   key,
			IsStream: isStream,
			Amend:    amend,
		}
		return endpoint.Call(ctx, request.Bounds, body, newAnswer(endpoint, names, request.Model, listener))
	}
}

// path names the model, alone or with the collection that it is in, and how it is to answer.
func path(name string, isStream bool) string {
	if !strings.Contains(name, "/") {
		name = "models/" + name
	}
	if isStream {
		return "/v1beta/" + name + ":streamGenerateContent?alt=sse"
	}
	return "/v1beta/" + name + ":generateContent"
}
