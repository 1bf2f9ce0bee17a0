// Package responses is the adapter for OpenAI's Responses API, as spec/loop/providers/openai-responses.md describes it.
package responses

import (
	"context"
	"net/http"
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
)

// Provider is the name of the provider in sessions.
const Provider = "openai-responses"

// New is the adapter for one address and model, whose answers are streamed or not.
func New(client *http.Client, baseURL, key, name string, isStream bool) model.Invoke {
	endpoint := &wire.Endpoint{
		Client:   client,
		Provider: Provider,
		URL:      strings.TrimSuffix(baseURL, "/") + "/responses",
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
		}
		reader := &reader{endpoint: endpoint, names: names, asked: request.Model, declared: map[string]bool{}}
		for _, tool := range request.Tools {
			reader.declared[names.Of(tool.Name)] = true
		}
		return endpoint.Call(ctx, request.Bounds, body, &answer{reader: reader, listener: listener, whole: wire.Object{}})
	}
}

var errorKinds = map[string]model.ErrorKind{
	"invalid_request_error":          model.InvalidRequest,
	"invalid_prompt":                 model.InvalidRequest,
	"previous_response_not_found":    model.InvalidRequest,
	"invalid_image":                  model.InvalidRequest,
	"invalid_image_url":              model.InvalidRequest,
	"image_content_policy_violation": model.InvalidRequest,
	"invalid_api_key":                model.Authentication,
	"authentication_error":           model.Authentication,
	"insufficient_quota":             model.Quota,
	"billing_not_active":             model.Quota,
	"billing_hard_limit_reached":     model.Quota,
	"permission_error":               model.Permission,
	"model_not_found":                model.NotFound,
	"not_found_error":                model.NotFound,
	"timeout":                        model.Timeout,
	"vector_store_timeout":           model.Timeout,
	"rate_limit_exceeded":            model.RateLimit,
	"rate_limit_error":               model.RateLimit,
	"server_is_overloaded":           model.Overloaded,
	"slow_down":                      model.Overloaded,
}
