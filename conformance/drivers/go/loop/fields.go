// Fields: those of a JSON object that this loop reads, and those that it only keeps.

package loop

import (
	"encoding/json"

	"agentloop/session"
)

// fields are those of a JSON object by name.
type fields map[string]json.RawMessage

// fieldsOf are the fields with which a value is written.
func fieldsOf(value any) (fields, error) {
	written, err := session.JSON(value)
	if err != nil {
		return nil, err
	}
	var all fields
	err = json.Unmarshal(written, &all)
	return all, err
}

// without is the object, without the fields that the value that was read from it has.
func without(data []byte, known any) (fields, error) {
	has, err := fieldsOf(known)
	if err != nil {
		return nil, err
	}
	var rest fields
	if err := json.Unmarshal(data, &rest); err != nil {
		return nil, err
	}
	for name := range has {
		delete(rest, name)
	}
	return rest, nil
}

// withExtra writes a value, and beside its own fields the extra ones.
func withExtra(value any, extra fields) ([]byte, error) {
	if len(extra) == 0 {
		return session.JSON(value)
	}
	all, err := fieldsOf(value)
	if err != nil {
		return nil, err
	}
	for name, kept := range extra {
		if _, own := all[name]; !own {
			all[name] = kept
		}
	}
	return session.JSON(all)
}
