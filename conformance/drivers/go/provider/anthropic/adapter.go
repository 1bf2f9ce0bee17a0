// Package anthropic is the adapter for Anthropic's Messages API, as spec/loop/providers/anthropic-messages.md describes it.
package anthropic

import (
	"context"
	"net/http"
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
)

// Provider is the name of the provider in sessions.
const Provider = "anthropic-messages"

// defaultMaxTokens is sent as max_tokens.
const defaultMaxTokens = 4096

// New is the adapter for one address and model, whose answers are streamed or not.
func New(client *http.Client, baseURL, key, name string, isStream bool) model.Invoke {
	endpoint := &wire.Endpoint{
		Client:   client,
		Provider: Provider,
		URL:      strings.TrimSuffix(baseURL, "/") + "/v1/messages",
		Header:   map[string]string{"x-api-key": key, "anthropic-version": "2023-06-01"},
		APIKey:   key,
		IsStream: isStream,
		Kind:     errorKinds,
	}
	return func(ctx context.Context, request model.Request, listener model.Listener) model.Response {
		if request.Model == "" {
			request.Model = name
		}
		names := wire.ToolNames(request, wire.PlainName, 128, listener)
		body, err := render(request, names, listener)
		if err != nil {
			return model.Response{StopReason: model.Failed, Error: err}
		}
		if isStream {
			body["stream"] = true
		}
		reader := &reader{endpoint: endpoint, names: names, asked: request.Model, listener: listener}
		return endpoint.Call(ctx, request.Bounds, body, &answer{reader: reader, blocks: map[int64]*block{}})
	}
}

var errorKinds = map[string]model.ErrorKind{
	"invalid_request_error": model.InvalidRequest,
	"authentication_error":  model.Authentication,
	"billing_error":         model.Quota,
	"permission_error":      model.Permission,
	"not_found_error":       model.NotFound,
	"timeout_error":         model.Timeout,
	"request_too_large":     model.RequestTooLarge,
	"rate_limit_error":      model.RateLimit,
	"overloaded_error":      model.Overloaded,
}
