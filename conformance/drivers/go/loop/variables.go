// Variables: what tools share and the model never sees.

package loop

import (
	"bytes"
	"encoding/json"
	"maps"
)

// Variables are the context variables of a run by name; nil: the run has none.
type Variables map[string]json.RawMessage

// copy shares nothing with the variables. [TOOL-35]
func (v Variables) copy() Variables {
	copied := maps.Clone(v)
	for name, value := range copied {
		copied[name] = bytes.Clone(value)
	}
	return copied
}

// with has the updates, key by key. [TOOL-33]
func (v Variables) with(updates Variables) Variables {
	if v == nil && len(updates) > 0 {
		v = Variables{}
	}
	maps.Copy(v, updates)
	return v
}
