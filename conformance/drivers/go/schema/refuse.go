// Refusals: why arguments cannot be held against a schema, said before a run, so that no schema is obeyed in part. [TOOL-43]

package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	dialects  = []string{"https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema"}
	notObeyed = []string{"$dynamicRef", "$recursiveRef", "contains", "dependencies", "dependentRequired", "dependentSchemas",
		"maxContains", "minContains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "uniqueItems"}
	typeNames = []string{"object", "array", "string", "number", "integer", "boolean", "null"}
	inPlace   = []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
	single    = []string{"items", "additionalItems", "additionalProperties", "not", "if", "then", "else"}
	lists     = []string{"allOf", "anyOf", "oneOf", "items", "prefixItems"}
	named     = []string{"$defs", "definitions", "patternProperties", "properties"}
)

// Refuse is the first keyword that cannot be obeyed, with its JSON Pointer, and why; nothing if all can.
func Refuse(schema json.RawMessage) string {
	root, err := decode(schema)
	if err != nil {
		return "it is not JSON: " + err.Error()
	}
	rules, _ := root.(map[string]any)
	if dialect, given := rules["$schema"]; given && !slices.Contains(dialects, strings.TrimSuffix(fmt.Sprint(dialect), "#")) {
		return fmt.Sprintf("/$schema: %v is not known; expected JSON Schema 2020-12 or draft-07", dialect)
	}
	refusal := ""
	walk(root, "", func(schema map[string]any, pointer string) bool {
		if why := refuseHere(root, schema, pointer == ""); why != "" {
			refusal = pointer + "/" + why
		}
		return refusal == ""
	})
	return refusal
}

func refuseHere(root any, schema map[string]any, isRoot bool) string {
	for _, keyword := range notObeyed {
		if has(schema, keyword) {
			return keyword + " is not obeyed here"
		}
	}
	if has(schema, "$id") && !isRoot {
		return "$id gives references another base, which is not obeyed here"
	}
	for _, name := range list(schema["type"]) {
		if !slices.Contains(typeNames, fmt.Sprint(name)) {
			return fmt.Sprintf("type: %v is no type", name)
		}
	}
	patterns, _ := schema["patternProperties"].(map[string]any)
	for _, pattern := range append(list(schema["pattern"]), keysOf(patterns)...) {
		if _, err := regexp.Compile(fmt.Sprint(pattern)); err != nil {
			return fmt.Sprintf("pattern: %v", err)
		}
	}
	reference, given := schema["$ref"].(string)
	if given && resolve(root, reference) == nil {
		return fmt.Sprintf("$ref: %q refers to nothing in this schema; nothing is fetched", reference)
	}
	if leadsBack(root, schema, nil) {
		return fmt.Sprintf("$ref: %q leads back to itself", reference)
	}
	return ""
}

// leadsBack says whether a schema asks the same value again to fit itself.
func leadsBack(root any, schema map[string]any, before []uintptr) bool {
	self := reflect.ValueOf(schema).Pointer()
	if slices.Contains(before, self) {
		return true
	}
	var inner []any
	if reference, given := schema["$ref"].(string); given {
		inner = append(inner, resolve(root, reference))
	}
	for _, keyword := range inPlace {
		inner = append(inner, list(schema[keyword])...)
	}
	return slices.ContainsFunc(inner, func(each any) bool {
		next, isSchema := each.(map[string]any)
		return isSchema && leadsBack(root, next, append(slices.Clone(before), self))
	})
}

// walk visits every schema inside of a schema, with its pointer, until visit says false.
func walk(schema any, pointer string, visit func(map[string]any, string) bool) bool {
	rules, isSchema := schema.(map[string]any)
	if !isSchema {
		return true
	}
	if !visit(rules, pointer) {
		return false
	}
	for _, keyword := range slices.Sorted(maps.Keys(rules)) {
		for at, inner := range innerOf(rules[keyword], keyword) {
			if !walk(inner, pointer+"/"+keyword+at, visit) {
				return false
			}
		}
	}
	return true
}

// innerOf are the schemas that a keyword has, by what their pointers add to its own.
func innerOf(value any, keyword string) map[string]any {
	inner := map[string]any{}
	switch value := value.(type) {
	case []any:
		for i, each := range value {
			if slices.Contains(lists, keyword) {
				inner["/"+strconv.Itoa(i)] = each
			}
		}
	case map[string]any:
		if slices.Contains(single, keyword) {
			return map[string]any{"": value}
		}
		for name, each := range value {
			if slices.Contains(named, keyword) {
				inner["/"+escape(name)] = each
			}
		}
	}
	return inner
}

// resolve finds the schema of the same document that a reference names; nil if there is none.
func resolve(root any, reference string) any {
	rules, _ := root.(map[string]any)
	if own, given := rules["$id"].(string); given {
		reference = strings.TrimPrefix(reference, strings.TrimSuffix(own, "#"))
	}
	name, isInside := strings.CutPrefix(reference, "#")
	if !isInside && reference != "" {
		return nil
	}
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if name != "" && !strings.HasPrefix(name, "/") {
		return anchored(root, name)
	}
	place := root
	for _, word := range strings.Split(name, "/")[1:] {
		word = strings.NewReplacer("~1", "/", "~0", "~").Replace(word)
		place = member(place, word)
	}
	switch place.(type) {
	case map[string]any, bool:
		return place
	}
	return nil
}

func member(place any, word string) any {
	if items, isList := place.([]any); isList {
		if at, err := strconv.Atoi(word); err == nil && at >= 0 && at < len(items) {
			return items[at]
		}
	}
	object, _ := place.(map[string]any)
	return object[word]
}

func anchored(root any, name string) any {
	var found any
	walk(root, "", func(schema map[string]any, _ string) bool {
		if schema["$anchor"] == name {
			found = schema
		}
		return found == nil
	})
	return found
}

func isDraft07(root any) bool {
	rules, _ := root.(map[string]any)
	return strings.Contains(fmt.Sprint(rules["$schema"]), "draft-07")
}

func keysOf(object map[string]any) []any {
	var keys []any
	for _, key := range slices.Sorted(maps.Keys(object)) {
		keys = append(keys, key)
	}
	return keys
}
