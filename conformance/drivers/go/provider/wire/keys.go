// Keys: the one in use and what looks like one are in nothing that is told of a failure.

package wire

import (
	"regexp"
	"strings"
)

const redacted = "[redacted]"

// keyBeginning is how much of a long key is enough to replace it: what is told is cut off, or masked by the server.
const keyBeginning = 12

// secret is how long a key is at least that is one: a server that wants none is given any word.
const secret = 8

// What looks like a key. [PROVIDER-45]
var (
	keyShapes = regexp.MustCompile(`\b(?:(?:sk-|sk_|pk-|gsk_|xai-|AIza|hf_|r8_|nvapi-|pplx-|csk-|tgp_v1_|gh[opsur]_|github_pat_|xox[abp]-)[\w-]{16,}` +
		`|(?:AKIA|ASIA)[A-Z0-9]{16}\b|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+)`)
	bearer = regexp.MustCompile(`(?i)\b(bearer\s+)[\w.~+/-]{16,}=*`)
)

// withoutKeys is the text without the API key and without what looks like one. [PROVIDER-27, PROVIDER-45]
func (e *Endpoint) withoutKeys(text string) string {
	switch {
	case len(e.APIKey) >= secret:
		text = strings.ReplaceAll(text, e.APIKey, redacted)
	case e.APIKey != "": // it stands in words by chance
		text = regexp.MustCompile(`\b`+regexp.QuoteMeta(e.APIKey)+`\b`).ReplaceAllString(text, redacted)
	}
	if len(e.APIKey) > keyBeginning {
		beginning := regexp.MustCompile(regexp.QuoteMeta(e.APIKey[:keyBeginning]) + `[\w-]*`)
		text = beginning.ReplaceAllString(text, redacted)
	}
	return bearer.ReplaceAllString(keyShapes.ReplaceAllString(text, redacted), "${1}"+redacted)
}
