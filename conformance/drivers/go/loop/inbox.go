// Inbox: what is said to a run while it is under way.

package loop

import "agentloop/session"

// Inbox hands over what was said since it was asked last, in order. Nil: nothing is ever said.
type Inbox func() []string

// hear takes what was said by now.
func (r *run) hear() {
	if r.ports.Inbox != nil {
		r.unheard = append(r.unheard, r.ports.Inbox()...)
	}
}

// wasSpokenTo says whether something was said that the model has not seen. [LOOP-54]
func (r *run) wasSpokenTo() bool {
	r.hear()
	return len(r.unheard) > 0
}

// sayWhatWasSaid appends it, between two turns. [LOOP-53]
func (r *run) sayWhatWasSaid() *Ending {
	for _, said := range r.unseen {
		if ending := r.blockedBy(HookCall{Point: "user_input", Message: &said}); ending != nil {
			return ending
		}
	}
	r.unseen = nil
	r.hear()
	for len(r.unheard) > 0 {
		said := session.Message{Role: session.User, Content: session.Text(r.unheard[0])}
		r.unheard = r.unheard[1:]
		r.add(said)
		if ending := r.blockedBy(HookCall{Point: "user_input", Message: &said}); ending != nil {
			return ending
		}
	}
	return nil
}
