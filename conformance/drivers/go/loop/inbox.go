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

// sayWhatWasSaid appends it, between two turns, and then shows it to the hooks. [LOOP-53, LOOP-132]
func (r *run) sayWhatWasSaid() *Ending {
	r.hear()
	for _, text := range r.unheard {
		said := session.Message{Role: session.User, Content: session.Text(text)}
		r.add(said)
		r.unseen = append(r.unseen, said)
	}
	r.unheard = nil
	for len(r.unseen) > 0 {
		said := r.unseen[0]
		r.unseen = r.unseen[1:]
		if ending := r.blockedBy(HookCall{Point: "user_input", Message: &said}); ending != nil {
			return ending
		}
	}
	return nil
}
