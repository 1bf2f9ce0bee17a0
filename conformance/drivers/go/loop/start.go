// Start: what a run refuses to begin with.

package loop

import (
	"maps"
	"slices"

	"agentloop/model"
	"agentloop/schema"
)

// canStart says why the run cannot begin; nil if it can. [SESSION-15, SESSION-16, LOOP-39, TOOL-43]
func (r *run) canStart() *model.Error {
	if err := r.checkSetup(); err != nil {
		return err
	}
	if err := r.state.Session.CanStart(); err != nil {
		return model.Errorf(model.InvalidSession, "%s; repair the session, or end it in a user message", err)
	}
	if err := r.journal.RefuseNew(r.state.Session.ID); err != nil {
		return model.Errorf(model.Configuration, "%s", err)
	}
	return nil
}

// checkSetup says what is wrong with what the run was given beside its session. [LOOP-39, LOOP-100]
func (r *run) checkSetup() *model.Error {
	if err := r.state.Options.check(); err != nil {
		return err
	}
	agent, exists := r.agents[r.state.Agent]
	if !exists {
		return model.Errorf(model.Configuration, "the active agent %q does not exist; there are: %s", r.state.Agent, list(r.agentNames()))
	}
	names := map[string]bool{}
	for _, tool := range agent.Tools {
		if names[tool.Name] {
			return model.Errorf(model.Configuration, "the agent %q has two tools of the name %q; rename one", r.state.Agent, tool.Name)
		}
		names[tool.Name] = true
	}
	if err := r.checkSubagents(); err != nil {
		return err
	}
	return r.checkSchemas()
}

// checkSchemas says which tool has a schema that cannot be obeyed, whichever agent has it. [TOOL-43]
func (r *run) checkSchemas() *model.Error {
	for _, name := range r.agentNames() {
		for _, tool := range r.agents[name].Tools {
			if refusal := schema.Refuse(tool.InputSchema); refusal != "" {
				return model.Errorf(model.Configuration, "the input_schema of the tool %s cannot be obeyed: %s", tool.Name, refusal)
			}
		}
	}
	return nil
}

func (r *run) agentNames() []string { return slices.Sorted(maps.Keys(r.agents)) }
