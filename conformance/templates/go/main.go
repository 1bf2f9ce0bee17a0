// The driver of my-loop: lets the conformance kit run the loop, over stdin and stdout. Needs Go 1.21 or later.
//
//	npx agent-loop-spec driver check --driver .       the protocol, message by message
//	npx agent-loop-spec test --driver . --case loop/  the first cases
//	npx agent-loop-spec explain LOOP-7                what a requirement says, and which cases test it
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

type object = map[string]any

var initialize = object{
	"protocol":       1,
	"implementation": object{"name": "my-loop", "version": "0.1.0", "language": "go"},
	"seams":          []string{"generic"},           // the kit is the model; the providers come later
	"features":       []string{},                    // what the loop has beyond the core: npx agent-loop-spec list features
	"reports":        []string{"session", "result"}, // add "events" when the loop tells them, with send
}

// runLoop is the loop. It returns {"session": …, "result": …}, as RunResponse in schemas/driver.schema.json.
//
//	params       {"session", "agents", "agent", "options"?}, as RunParams in that file
//	invokeModel  {"messages", "tools"} to {"messages", "stop_reason", …}, or a kitError if the call fails
//	executeTool  {"id", "name", "input"} to {"output", "is_error"?}, or a kitError if the tool throws
func runLoop(params object, invokeModel, executeTool func(object) (object, error)) (object, error) {
	return nil, errors.New("the loop is not written yet; write it in runLoop of main.go: invoke the model, append what it " +
		"answers, execute its calls, and so on until there are none; spec/loop/loop.md says how, spec/loop/results.md what to return")
}

// kitError is an error with which the kit answered; its "data" says what failed: ModelErrorData or ToolErrorData.
type kitError object

func (e kitError) Error() string { return fmt.Sprint(e["message"]) }

func run(params object) (object, error) {
	asking := func(method, what string) func(object) (object, error) {
		return func(value object) (object, error) { return ask(method, object{"run": params["run"], what: value}) }
	}
	return runLoop(params, asking("model/invoke", "request"), asking("tool/execute", "call"))
}

var asked, stdin = 0, json.NewDecoder(os.Stdin)

// ask asks the kit. As long as one run at a time is enough, the next message is the answer.
func ask(method string, params object) (object, error) {
	asked++
	send(object{"id": fmt.Sprint("d", asked), "method": method, "params": params})
	var answer object
	if err := stdin.Decode(&answer); err != nil {
		return nil, err
	}
	if failure, failed := answer["error"].(object); failed {
		return nil, kitError(failure)
	}
	return answer["result"].(object), nil
}

// send writes one message, on one line. Nothing else may go to stdout: what the loop prints goes to stderr.
func send(message object) {
	message["jsonrpc"] = "2.0"
	_ = json.NewEncoder(os.Stdout).Encode(message) // where nobody reads any more, stdin has ended too
}

func answer(method string, params object) object {
	result, err, code := object{}, error(nil), -32603
	switch method {
	case "initialize":
		result = initialize
	case "run":
		result, err = run(params)
	case "shutdown":
	default:
		err, code = errors.New("no method "+method), -32601
	}
	if err != nil {
		return object{"error": object{"code": code, "message": err.Error()}}
	}
	return object{"result": result}
}

func main() {
	stdin.UseNumber()
	for {
		var request object
		if stdin.Decode(&request) != nil {
			return // the kit has closed stdin
		}
		if id := request["id"]; id != nil { // otherwise it is a notification that this driver does not know
			params, _ := request["params"].(object)
			message := answer(request["method"].(string), params)
			message["id"] = id
			send(message)
		}
	}
}
