// Names: tools and calls under names and ids that the provider takes.

package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"unicode/utf8"

	"agentloop/model"
)

// Names gives legal names for those that a provider refuses: always the same for the same, and a different one for each.
type Names struct {
	legal   *regexp.Regexp // what a name has to be, its length aside
	longest int
	given   map[string]string
	tell    func(message string)
}

// PlainName is a name of letters, digits, _ and -, which every provider takes, the ones that want more of its beginning aside.
var PlainName = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

var (
	anyName = regexp.MustCompile(`(?s)^.+$`)
	illegal = regexp.MustCompile(`[^a-zA-Z0-9_-]`)
)

func newNames(legal *regexp.Regexp, longest int, listener model.Listener) *Names {
	return &Names{legal: legal, longest: longest, given: map[string]string{},
		tell: func(message string) { listener.Warn("id_mapped", message) }}
}

// Of is the name under which the provider is told of a name. What is legal keeps its name; what is not gets one with a
// digest of the whole name, so that it depends on nothing else in the session. [PROVIDER-13]
func (n *Names) Of(name string) string {
	if given, known := n.given[name]; known {
		return given
	}
	given := name
	if !n.isLegal(name) {
		digest := sha256.Sum256([]byte(name))
		suffix := "_" + hex.EncodeToString(digest[:6])
		given = n.cut(illegal.ReplaceAllString(name, "_"), suffix)
		if !n.isLegal(given) { // a name that may not begin with a digit
			given = n.cut("_"+given[:len(given)-len(suffix)], suffix)
		}
		n.tell("the provider refuses " + strconv.Quote(name) + "; it is sent as " + strconv.Quote(given))
	}
	n.given[name] = given
	return given
}

// cut is the name, no longer than it may be, with the suffix.
func (n *Names) cut(name, suffix string) string {
	letters := []rune(name)
	return string(letters[:min(len(letters), n.longest-len(suffix))]) + suffix
}

// Original is the name for which a name was given, or the name itself.
func (n *Names) Original(sent string) string {
	for name, given := range n.given {
		if given == sent {
			return name
		}
	}
	return sent
}

func (n *Names) isLegal(name string) bool {
	return utf8.RuneCountInString(name) <= n.longest && n.legal.MatchString(name)
}

// ToolNames are the names of the tools that a request declares, at most so many characters long, and of those that its
// calls name.
func ToolNames(request model.Request, legal *regexp.Regexp, longest int, listener model.Listener) *Names {
	names := newNames(legal, longest, listener)
	for _, tool := range request.Tools {
		names.Of(tool.Name)
	}
	return names
}

// CallIDs are the ids of calls, at most so many characters long.
func CallIDs(longest int, checksLetters bool, listener model.Listener) *Names {
	if checksLetters {
		return newNames(PlainName, longest, listener)
	}
	return newNames(anyName, longest, listener)
}
