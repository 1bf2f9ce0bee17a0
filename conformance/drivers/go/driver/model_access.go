// Where the model is: which adapter speaks to it, at which address.

package driver

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"agentloop/model"
	"agentloop/provider/anthropic"
	"agentloop/provider/chat"
	"agentloop/provider/gemini"
	"agentloop/provider/responses"
)

// modelAccess is where the model of a run is.
type modelAccess struct {
	Seam      string `json:"seam"`
	Transport string `json:"transport"`
	BaseURL   string `json:"base_url"`
	APIKey    string `json:"api_key"`
	Model     string `json:"model"`
}

// adapters are the providers that this implementation speaks.
var adapters = map[string]func(client *http.Client, baseURL, key, name string, isStream bool) model.Invoke{
	anthropic.Provider: anthropic.New,
	chat.Provider:      chat.New,
	gemini.Provider:    gemini.New,
	responses.Provider: responses.New,
}

func seams() []string { return append([]string{"generic"}, slices.Sorted(maps.Keys(adapters))...) }

// adapter is the adapter of the seam. [DRIVER-10]
func (a modelAccess) adapter(client *http.Client) (model.Invoke, error) {
	adapter, known := adapters[a.Seam]
	if !known {
		return nil, fmt.Errorf("no adapter is called %q; there are: %v", a.Seam, seams())
	}
	return adapter(client, a.BaseURL, a.APIKey, a.Model, a.Transport == "sse"), nil
}
