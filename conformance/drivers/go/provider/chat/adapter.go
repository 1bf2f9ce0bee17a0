// Package chat is the adapter for OpenAI's Chat Completions API, as spec/loop/providers/openai-chat.md describes it.
package chat

import (
	"context"
	"net/http"
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
)

// Provider is the name of the provider in sessions.
const Provider = "openai-chat"

// New is the adapter for one address and model, whose answers are streamed or not.
func New(client *http.Client, baseURL, key, name string, isStream bool) model.Invoke {
	endpoint := &wire.Endpoint{
		Client:   client,
		Provider: Provider,
		URL:      strings.TrimSuffix(baseURL, "/") + "/chat/completions",
		Header:   map[string]string{"authorization": "Bearer " + key},
		APIKey:   key,
		IsStream: isStream,
		Kind:     errorKinds,
	}
	return func(ctx context.Context, request model.Request, listener model.Listener) model.Response {
		if request.Model == "" {
			request.Model = name
		}
		names := wire.ToolNames(request, wire.PlainName, 64, listener)
		body := render(request, names, listener)
		if isStream {
			body["stream"] = true
			body["stream_options"] = object{"include_usage": true} // [CHAT-9]
		}
		reader := &reader{endpoint: endpoint, names: names, asked: request.Model}
		return endpoint.Call(ctx, request.Bounds, body, newAnswer(reader, listener))
	}
}

var errorKinds = map[string]model.ErrorKind{
	"invalid_request_error":      model.InvalidRequest,
	"invalid_api_key":            model.Authentication,
	"authentication_error":       model.Authentication,
	"insufficient_quota":         model.Quota,
	"billing_not_active":         model.Quota,
	"billing_hard_limit_reached": model.Quota,
	"permission_error":           model.Permission,
	"model_not_found":            model.NotFound,
	"not_found_error":            model.NotFound,
	"timeout":                    model.Timeout,
	"rate_limit_exceeded":        model.RateLimit,
	"rate_limit_error":           model.RateLimit,
	"overloaded_error":           model.Overloaded,
	"engine_overloaded":          model.Overloaded,
}
