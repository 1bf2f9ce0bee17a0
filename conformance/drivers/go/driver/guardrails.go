// Guardrails of a run: the kit is each of them. [DRIVER-13]

package driver

import (
	"context"

	"agentloop/loop"
)

// guardrailFilter is a guardrail, and where it is asked.
type guardrailFilter struct {
	Name   string   `json:"name"`
	Points []string `json:"points"`
}

func (r *run) guardrailsOf(filters []guardrailFilter) (guardrails []loop.Guardrail) {
	for number, filter := range filters {
		guardrails = append(guardrails, loop.Guardrail{Name: filter.Name, Points: filter.Points,
			Ask: func(ctx context.Context, check loop.GuardrailCheck) func() (loop.Finding, error) {
				answered := r.kit.ask("guardrail/check", map[string]any{"run": r.id, "guardrail": number, "check": check})
				return func() (finding loop.Finding, err error) {
					err = answered.wait(ctx, &finding)
					return finding, err
				}
			}})
	}
	return guardrails
}
