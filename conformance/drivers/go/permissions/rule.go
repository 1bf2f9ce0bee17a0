// Rules: which calls a rule matches, by the name of their tool and by their subject.

package permissions

import (
	"encoding/json"
	"strings"

	"agentloop/model"
)

// matches says whether the rule is about a call of the tool with these arguments. [PERMISSION-7, PERMISSION-10]
func (r Rule) matches(tool model.Tool, input json.RawMessage) bool {
	name, rest, hasPattern := strings.Cut(r.Match, "(")
	if !Fits(name, tool.Name) {
		return false
	}
	if !hasPattern {
		return true
	}
	subject, exists := subjectOf(tool, input)
	if !exists {
		return r.Effect != Allow
	}
	pattern := strings.TrimSuffix(rest, ")")
	if tool.Annotations.Shell {
		return r.matchesCommand(pattern, subject)
	}
	return r.matchesPath(pattern, subject)
}

// subjectOf is the argument that says what a call does: that which the tool names, or the only one that its schema requires.
func subjectOf(tool model.Tool, input json.RawMessage) (string, bool) {
	named := tool.Annotations.Subject
	if named == "" {
		var schema struct {
			Required []string `json:"required"`
		}
		if json.Unmarshal(tool.InputSchema, &schema) != nil || len(schema.Required) != 1 {
			return "", false
		}
		named = schema.Required[0]
	}
	var arguments map[string]json.RawMessage
	_ = json.Unmarshal(input, &arguments) // what is no object has none
	var subject *string
	if json.Unmarshal(arguments[named], &subject) != nil || subject == nil {
		return "", false
	}
	return *subject, true
}

// matchesPath compares a subject that is no command line: a detour leads to the same file. [PERMISSION-29, PERMISSION-30]
func (r Rule) matchesPath(pattern, subject string) bool {
	if Fits(resolved(pattern), resolved(subject)) {
		return true
	}
	return r.Effect != Allow && Fits(pattern, subject)
}

// resolved is the path without the segments that lead nowhere, or back.
func resolved(path string) string {
	isRooted := strings.HasPrefix(path, "/")
	var kept []string
	for _, segment := range strings.Split(path, "/") {
		last := len(kept) - 1
		switch {
		case segment == "" || segment == ".":
		case segment == ".." && last >= 0 && kept[last] != "..":
			kept = kept[:last]
		case segment == ".." && isRooted:
		default:
			kept = append(kept, segment)
		}
	}
	short := strings.Join(kept, "/")
	if isRooted {
		short = "/" + short
	}
	if strings.HasSuffix(path, "/") && len(kept) > 0 {
		short += "/"
	}
	return short
}

// matchesCommand compares a command line, of which a shell may read a part as a command of its own.
// [PERMISSION-8, PERMISSION-9, PERMISSION-30, PERMISSION-31]
func (r Rule) matchesCommand(pattern, line string) bool {
	short, shortLine := spaced(pattern), spaced(line)
	if r.Effect == Allow {
		return glob{star: isText}.fits(short, shortLine)
	}
	return Fits(pattern, line) || glob{inPart: true}.fits(short, shortLine)
}

// spaced has one space in the place of each run of blanks; a line break is more than that.
func spaced(text string) string {
	var short strings.Builder
	inRun := false
	for _, letter := range text {
		isBlank := strings.ContainsRune(" \t\v\f", letter)
		switch {
		case !isBlank:
			short.WriteRune(letter)
		case !inRun:
			short.WriteByte(' ')
		}
		inRun = isBlank
	}
	return short.String()
}
