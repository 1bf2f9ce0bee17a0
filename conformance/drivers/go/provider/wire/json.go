// JSON as providers write it, and fields that say nothing.

package wire

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"agentloop/session"
)

// Object is an object of a provider's format, of which the fields are read one by one.
type Object map[string]json.RawMessage

// ReadObject reads an object; an empty one if it is none.
func ReadObject(data json.RawMessage) Object {
	var object Object
	if json.Unmarshal(data, &object) != nil || object == nil {
		return Object{}
	}
	return object
}

// ReadList reads a list; nil if it is none.
func ReadList(data json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	_ = json.Unmarshal(data, &list) // what is no list says nothing
	return list
}

// Text is a field as text; empty if it is missing, null or no text. A number is its digits.
func (o Object) Text(key string) string { return Text(o[key]) }

// Object is a field as an object.
func (o Object) Object(key string) Object { return ReadObject(o[key]) }

// List is a field as a list.
func (o Object) List(key string) []json.RawMessage { return ReadList(o[key]) }

// Int is a field as a number of tokens or a place; nil if it is none.
func (o Object) Int(key string) *int64 {
	var number *int64
	if json.Unmarshal(o[key], &number) != nil {
		return nil
	}
	return number
}

// Without is the object without some fields, and without those that say nothing.
func (o Object) Without(keys ...string) Object {
	rest := maps.Clone(o)
	maps.DeleteFunc(rest, func(key string, value json.RawMessage) bool { return slices.Contains(keys, key) || IsNothing(value) })
	return rest
}

// Text is the value as text.
func Text(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	if trimmed := bytes.TrimSpace(value); len(trimmed) > 0 && (trimmed[0] == '-' || trimmed[0] >= '0' && trimmed[0] <= '9') {
		return string(trimmed)
	}
	return ""
}

// IsNothing says whether a value is missing, null, or empty.
func IsNothing(value json.RawMessage) bool {
	return slices.Contains([]string{"", "null", `""`, "[]", "{}"}, string(bytes.TrimSpace(value)))
}

// Raw is a value as JSON; values of this program always can be.
func Raw(value any) json.RawMessage {
	written, err := session.JSON(value)
	if err != nil {
		panic(err)
	}
	return written
}

// WithProperties is a schema that has properties, if need be none.
func WithProperties(schema json.RawMessage) json.RawMessage {
	fields := ReadObject(schema)
	if _, has := fields["properties"]; has {
		return schema
	}
	fields["properties"] = json.RawMessage("{}")
	return Raw(fields)
}
