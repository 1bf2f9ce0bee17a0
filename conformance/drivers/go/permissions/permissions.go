// Package permissions decides which calls may be executed: by rules, and by a mode for what no rule decides.
package permissions

import (
	"encoding/json"
	"slices"

	"agentloop/model"
)

// Permissions are what a run may do, as schemas/permissions.schema.json describes them.
type Permissions struct {
	Mode  string `json:"mode,omitempty"`
	Rules []Rule `json:"rules,omitempty"`
}

// Rule says what becomes of the calls that it matches.
type Rule struct {
	Effect Verdict `json:"effect"`
	Match  string  `json:"match"`
}

// Verdict is what becomes of a call, and the effect of a rule.
type Verdict string

// The verdicts. Classify is the affair of a classifier: who has none asks.
const (
	Allow    Verdict = "allow"
	Ask      Verdict = "ask"
	Deny     Verdict = "deny"
	Classify Verdict = "classify"
)

// DontAsk is the mode in which nobody is asked. [PERMISSION-3]
const DontAsk = "dont_ask"

// row is one line of the table: it holds if all that it names is so.
type row struct {
	When struct {
		Rule     Verdict `json:"rule"`
		Mode     string  `json:"mode"`
		ReadOnly *bool   `json:"read_only"`
		Edits    *bool   `json:"edits"`
	} `json:"when"`
	Verdict Verdict `json:"verdict"`
}

// table is that of spec/permissions.json: a unit test holds one against the other.
var table = rows(`[
  { "when": { "rule": "deny" }, "verdict": "deny" },
  { "when": { "rule": "ask" }, "verdict": "ask" },
  { "when": { "mode": "bypass" }, "verdict": "allow" },
  { "when": { "mode": "plan", "read_only": false }, "verdict": "deny" },
  { "when": { "mode": "accept_edits", "edits": true }, "verdict": "allow" },
  { "when": { "rule": "allow" }, "verdict": "allow" },
  { "when": { "mode": "plan" }, "verdict": "allow" },
  { "when": { "mode": "auto" }, "verdict": "classify" },
  { "when": {}, "verdict": "ask" }
]`)

func rows(written string) (all []row) {
	if err := json.Unmarshal([]byte(written), &all); err != nil {
		panic(err) // of the text above
	}
	return all
}

// Verdict is what becomes of a valid call of the tool, and why. Nobody classifies here: what a classifier would say, the caller
// is asked. [PERMISSION-1]
func (p Permissions) Verdict(tool model.Tool, input json.RawMessage) (Verdict, string) {
	matching := map[Verdict]string{}
	for _, rule := range p.Rules {
		if _, known := matching[rule.Effect]; !known && rule.matches(tool, input) {
			matching[rule.Effect] = rule.Match
		}
	}
	at := slices.IndexFunc(table, func(row row) bool { return row.holds(p.Mode, tool, matching) })
	verdict := table[at].Verdict
	if verdict == Classify {
		verdict = Ask
	}
	if rule, byRule := matching[verdict]; byRule {
		return verdict, "the rule " + rule + " does not permit it"
	}
	return verdict, "the mode " + p.Mode + " does not permit it"
}

func (r row) holds(mode string, tool model.Tool, matching map[Verdict]string) bool {
	_, matches := matching[r.When.Rule]
	return (r.When.Rule == "" || matches) &&
		(r.When.Mode == "" || r.When.Mode == mode) &&
		(r.When.ReadOnly == nil || *r.When.ReadOnly == tool.Annotations.ReadOnly) &&
		(r.When.Edits == nil || *r.When.Edits == tool.Annotations.Edits)
}
