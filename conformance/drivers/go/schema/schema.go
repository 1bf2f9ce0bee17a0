// Package schema checks arguments with the part of JSON Schema that tools use. It never converts a value. [TOOL-4]
package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Problem is one value that does not fit: where it is, as a JSON Pointer, and what was expected there.
type Problem struct {
	Pointer  string
	Expected string
}

// Check says what is wrong with a value; nothing if it fits. Expects a schema that Refuse does not refuse. [TOOL-42]
func Check(schema, value json.RawMessage) ([]Problem, error) {
	rules, err := decode(schema)
	if err != nil {
		return nil, fmt.Errorf("the schema is not JSON: %w", err)
	}
	actual, err := decode(value)
	if err != nil {
		return nil, fmt.Errorf("the value is not JSON: %w", err)
	}
	checker := checker{root: rules}
	checker.check(rules, actual, "", 0)
	return checker.problems, nil
}

// maxDepth ends a schema that refers to itself for ever.
const maxDepth = 200

type checker struct {
	root     any
	problems []Problem
}

func (c *checker) fail(at, expected string, args ...any) {
	c.problems = append(c.problems, Problem{at, fmt.Sprintf(expected, args...)})
}

func (c *checker) check(schema, value any, at string, depth int) {
	if schema == false {
		c.fail(at, "no value")
	}
	rules, isObject := schema.(map[string]any)
	if !isObject || depth > maxDepth {
		return
	}
	if reference, given := rules["$ref"].(string); given {
		c.check(resolve(c.root, reference), value, at, depth+1)
		if isDraft07(c.root) { // where a reference stands alone
			return
		}
	}
	if types := list(rules["type"]); len(types) > 0 && !slices.ContainsFunc(types, func(each any) bool { return hasType(value, each) }) {
		c.fail(at, "%s", join(types))
		return
	}
	if options, given := rules["enum"].([]any); given && !slices.ContainsFunc(options, func(each any) bool { return equal(each, value) }) {
		c.fail(at, "one of %s", text(options))
	}
	if constant, given := rules["const"]; given && !equal(constant, value) {
		c.fail(at, "%s", text(constant))
	}
	c.checkCombinations(rules, value, at, depth)
	switch value := value.(type) {
	case map[string]any:
		c.checkObject(rules, value, at, depth)
	case []any:
		c.checkList(rules, value, at, depth)
	case string:
		c.checkText(rules, value, at)
	case json.Number:
		c.checkNumber(rules, value, at)
	}
}

func (c *checker) checkObject(rules, value map[string]any, at string, depth int) {
	for _, key := range list(rules["required"]) {
		if name, isText := key.(string); isText && !has(value, name) {
			c.fail(at+"/"+escape(name), "a value, for it is required")
		}
	}
	c.checkBounds(rules, "Properties", len(value), at)
	for _, name := range slices.Sorted(maps.Keys(value)) {
		for _, inner := range schemasOf(rules, name) {
			c.check(inner, value[name], at+"/"+escape(name), depth+1)
		}
	}
}

// schemasOf are the schemas of a property: by its name, by patterns that its name matches, or that of the others.
func schemasOf(rules map[string]any, name string) []any {
	var found []any
	if properties, _ := rules["properties"].(map[string]any); has(properties, name) {
		found = append(found, properties[name])
	}
	patterns, _ := rules["patternProperties"].(map[string]any)
	for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
		if matches(pattern, name) {
			found = append(found, patterns[pattern])
		}
	}
	if others, given := rules["additionalProperties"]; given && len(found) == 0 {
		return []any{others}
	}
	return found
}

func (c *checker) checkList(rules map[string]any, value []any, at string, depth int) {
	c.checkBounds(rules, "Items", len(value), at)
	first, rest := list(rules["prefixItems"]), rules["items"]
	if items, isList := rest.([]any); isList { // as draft-07 has it
		first, rest = items, rules["additionalItems"]
	}
	for i, item := range value {
		inner := rest
		if i < len(first) {
			inner = first[i]
		}
		c.check(inner, item, at+"/"+strconv.Itoa(i), depth+1)
	}
}

func (c *checker) checkText(rules map[string]any, value, at string) {
	c.checkBounds(rules, "Length", utf8.RuneCountInString(value), at)
	pattern, given := rules["pattern"].(string)
	if !given {
		return
	}
	if !matches(pattern, value) {
		c.fail(at, "a text that matches %s", pattern)
	}
}

func (c *checker) checkBounds(rules map[string]any, what string, size int, at string) {
	if least, given := number(rules["min"+what]); given && float64(size) < least {
		c.fail(at, "min%s %v", what, least)
	}
	if most, given := number(rules["max"+what]); given && float64(size) > most {
		c.fail(at, "max%s %v", what, most)
	}
}

// matches takes time linear in the text, whatever the pattern is.
func matches(pattern, text string) bool {
	found, err := regexp.MatchString(pattern, text)
	return err == nil && found
}

func (c *checker) checkNumber(rules map[string]any, value json.Number, at string) {
	actual, _ := number(value)
	if least, given := number(rules["minimum"]); given && actual < least {
		c.fail(at, "at least %v", least)
	}
	if most, given := number(rules["maximum"]); given && actual > most {
		c.fail(at, "at most %v", most)
	}
	if limit, given := number(rules["exclusiveMinimum"]); given && actual <= limit {
		c.fail(at, "more than %v", limit)
	}
	if limit, given := number(rules["exclusiveMaximum"]); given && actual >= limit {
		c.fail(at, "less than %v", limit)
	}
	if step, given := rules["multipleOf"].(json.Number); given && !isMultiple(value, step) {
		c.fail(at, "a multiple of %v", step)
	}
}

// isMultiple compares the numbers as they are written: 0.3 is a multiple of 0.1.
func isMultiple(value, step json.Number) bool {
	whole, isNumber := new(big.Rat).SetString(value.String())
	part, isStep := new(big.Rat).SetString(step.String())
	return !isNumber || !isStep || part.Sign() == 0 || new(big.Rat).Quo(whole, part).IsInt()
}

func (c *checker) checkCombinations(rules map[string]any, value any, at string, depth int) {
	for _, each := range list(rules["allOf"]) {
		c.check(each, value, at, depth+1)
	}
	for keyword, most := range map[string]int{"anyOf": len(list(rules["anyOf"])), "oneOf": 1} {
		options := list(rules[keyword])
		fitting := 0
		for _, option := range options {
			if c.fits(option, value, depth) {
				fitting++
			}
		}
		if len(options) > 0 && (fitting == 0 || fitting > most) {
			c.fail(at, "%s of %d schemas", keyword, len(options))
		}
	}
	if condition, given := rules["if"]; given {
		branch := "else"
		if c.fits(condition, value, depth) {
			branch = "then"
		}
		c.check(rules[branch], value, at, depth+1)
	}
	if unwanted, given := rules["not"]; given && c.fits(unwanted, value, depth) {
		c.fail(at, "another value")
	}
}

func (c *checker) fits(schema, value any, depth int) bool {
	inner := checker{root: c.root}
	inner.check(schema, value, "", depth+1)
	return len(inner.problems) == 0
}
