// Arguments: what the model wrote for a tool, and whether it is a JSON object.

package model

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"agentloop/session"
)

// Call is a tool_call with the arguments as the model wrote them. [TOOL-1, TOOL-2]
//
// Arguments that are no JSON object become null, and are kept in raw_input. They are kept there too if they have a
// number that a reader with floating-point numbers would round. [PROVIDER-35, TOOL-45]
func Call(id, name, written string) session.Message {
	call := session.Message{Type: session.ToolCall, ID: id, Name: name, Input: json.RawMessage("{}")}
	if session.IsBlank(written) {
		return call
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(written), &object); err != nil || object == nil || has(written, isBeyondDoubles) || session.MergesNames([]byte(written)) {
		call.Input, call.RawInput = json.RawMessage("null"), &written
		return call
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, []byte(written)) // it was just read
	call.Input = session.WholeLetters(compact.Bytes())
	if has(written, isRounded) {
		call.RawInput = &written
	}
	return call
}

// Arguments are the arguments of a call as they go back to a provider. [PROVIDER-10, PROVIDER-35]
func Arguments(call session.Message) json.RawMessage {
	if !call.HasInput() {
		return json.RawMessage("{}")
	}
	written := string(call.Input)
	if call.RawInput != nil {
		written = *call.RawInput
	}
	if again := Call("", "", written); again.HasInput() {
		return again.Input
	}
	return call.Input
}

// has says whether one of the numbers of a JSON text is such a one.
func has(text string, isSuch func(json.Number) bool) bool {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err != nil {
			return false
		}
		if written, isNumber := token.(json.Number); isNumber && isSuch(written) {
			return true
		}
	}
}

// isBeyondDoubles says that no floating-point number is near. [TOOL-46]
func isBeyondDoubles(written json.Number) bool {
	_, err := written.Float64()
	return err != nil
}

// isRounded says that floating-point numbers do not hold the number as it is written. [TOOL-38, TOOL-45]
func isRounded(written json.Number) bool {
	float, _ := written.Float64()
	if float == 0 {
		mantissa, _, _ := strings.Cut(strings.ToLower(written.String()), "e")
		return strings.Trim(mantissa, "-0.") != ""
	}
	exact, isNumber := new(big.Rat).SetString(written.String())
	shortest, _ := new(big.Rat).SetString(strconv.FormatFloat(float, 'g', -1, 64))
	return !isNumber || exact.Cmp(shortest) != 0
}
