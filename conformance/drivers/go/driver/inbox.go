// What the kit says to a run while it is under way.

package driver

import (
	"encoding/json"
	"sync"
)

// inbox keeps what was said until the loop asks for it.
type inbox struct {
	mutex sync.Mutex
	said  []string
}

func (i *inbox) put(text string) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.said = append(i.said, text)
}

func (i *inbox) empty() []string {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	said := i.said
	i.said = nil
	return said
}

// steer says something to a run.
func (s *server) steer(request incoming) {
	var params struct {
		Content string `json:"content"`
	}
	_ = json.Unmarshal(request.Params, &params) // a notification has no answer that could say what is wrong with it
	s.tell(request, func(run *run) { run.said.put(params.Content) })
}
