// Approval: what may be executed only if the rules, the mode or the caller permit it.

package loop

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"agentloop/canonical"
	"agentloop/model"
	"agentloop/permissions"
	"agentloop/session"
)

// permit asks the rules and the mode about a call, with the arguments that it would have. [PERMISSION-1 to PERMISSION-3]
func (r *run) permit(call session.Message, decision Decision) Decision {
	permitted := r.state.Options.Permissions
	if permitted == nil {
		return decision
	}
	tool, _ := r.agent().tool(call.Name)
	verdict, why := permitted.Verdict(tool, call.WithInput(decision.Input).Input)
	switch {
	case verdict == permissions.Deny && decision.Override:
		r.warn("permission_overridden", "the call of "+call.Name+" is executed because its approval says so: "+why) // [PERMISSION-26]
	case verdict == permissions.Deny:
		return deny(call, why, "")
	case verdict == permissions.Allow || decision.Approved:
	case permitted.Mode == permissions.DontAsk:
		return deny(call, "it needs approval, and nobody is asked", "")
	default:
		return Decision{Do: "ask", Approval: true, Input: decision.Input, InputHash: inputHash(call, decision.Input)} // [PERMISSION-23]
	}
	return decision
}

// approved is what becomes of a call that waits and that the caller approves. [PERMISSION-15]
func (r *run) approved(call session.Message, asked Decision, answer Answer) Decision {
	decision := Decision{Do: "run", Input: asked.Input, Approved: true, Override: answer.Override}
	if len(answer.Input) == 0 {
		return decision
	}
	tool, _ := r.agent().tool(call.Name)
	if problems := problemsOf(tool, answer.Input); problems != "" {
		return refuse(call, session.InvalidArguments, session.WrongChangedArguments.Text("{problems}", problems))
	}
	decision.Input = answer.Input
	return decision
}

// checkHashes says which call that waits for approval is not the one that was asked about, here or in a subagent. [PERMISSION-24]
func (s State) checkHashes() *model.Error {
	for i, call := range s.calls() {
		if decision := s.Decisions[i]; decision.Approval && decision.InputHash != inputHash(call, decision.Input) {
			return model.Errorf(model.Configuration, "the input_hash of the call %q is not that of the call as it stands in the snapshot; take the snapshot as it was returned", call.ID)
		}
		if begun := s.Unfinished[call.ID].Snapshot; begun != nil {
			if err := begun.check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// inputHash stands for a call with its arguments, those that a hook gave it if there are any. [PERMISSION-22]
func inputHash(call session.Message, changed json.RawMessage) string {
	arguments := any(call.WithInput(changed).Input)
	if call.RawInput != nil && len(changed) == 0 {
		arguments = *call.RawInput
	}
	written, _ := session.JSON([]any{call.ID, call.Name, arguments}) // texts, and arguments that were found valid
	form, _ := canonical.JSON(written)
	hash := sha256.Sum256(form)
	return hex.EncodeToString(hash[:])
}
