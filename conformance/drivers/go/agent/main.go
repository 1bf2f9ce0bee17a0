// Command agent is the loop in Go as a small agent program: three tools, a session in the working folder.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"agentloop/loop"
	"agentloop/model"
	"agentloop/provider/anthropic"
	"agentloop/provider/chat"
	"agentloop/provider/responses"
	"agentloop/session"
)

const store = "session.json"

// A result may be as long as this, in bytes.
const longest = 100_000

// A tool takes texts by these names, and returns one.
type tool struct {
	keys    []string
	execute func(context.Context, map[string]string) (string, error)
}

var tools = map[string]tool{
	"read_file": {[]string{"path"}, func(_ context.Context, input map[string]string) (string, error) {
		text, err := os.ReadFile(input["path"])
		return string(text), err
	}},
	"write_file": {[]string{"path", "content"}, func(_ context.Context, input map[string]string) (string, error) {
		return "written", os.WriteFile(input["path"], []byte(input["content"]), 0o600)
	}},
	"run_shell_command": {[]string{"command"}, shell},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run takes one turn of the user, in a session that goes on where the last one ended.
func run(ctx context.Context, input string) error {
	before, err := load()
	if err != nil {
		return err
	}
	said := session.Message{Role: session.User, Content: session.Text(input)}
	before.Messages = append(before.Messages, said)
	// Who is killed has what was asked, and nothing that was half done.
	if err := save(before); err != nil {
		return err
	}
	agent := loop.Agent{Name: "main", Tools: declared()}
	in := loop.Input{Session: before, Agents: map[string]loop.Agent{"main": agent}, Agent: "main", Options: loop.DefaultOptions()}
	result, after := loop.Run(ctx, in, ports())
	if err := save(after); err != nil {
		return err
	}
	fmt.Println(result.FinalText)
	switch {
	case result.Status == loop.Completed:
		return nil
	case result.Error != nil:
		return fmt.Errorf("%s: %s", result.Status, result.Error.Message)
	default:
		return fmt.Errorf("%s: the run did not complete", result.Status)
	}
}

func ports() loop.Ports {
	ids := 0
	return loop.Ports{
		Model:   invoke(),
		Execute: execute,
		Emit:    func(loop.Event) {},
		Clock:   clock{time.Now()},
		NewID:   func() string { ids++; return fmt.Sprintf("call_%d_%d", time.Now().UnixNano(), ids) },
		Random:  rand.Float64,
	}
}

// invoke is the model of PROVIDER, streamed unless STREAM is 0.
func invoke() model.Invoke {
	isStream := os.Getenv("STREAM") != "0"
	openai, key := os.Getenv("OPENAI_BASE_URL"), os.Getenv("OPENAI_API_KEY")
	switch os.Getenv("PROVIDER") {
	case chat.Provider:
		return chat.New(http.DefaultClient, openai, key, "probe-model", isStream)
	case responses.Provider:
		return responses.New(http.DefaultClient, openai, key, "probe-model", isStream)
	default:
		url, key := os.Getenv("ANTHROPIC_BASE_URL"), os.Getenv("ANTHROPIC_API_KEY")
		return anthropic.New(http.DefaultClient, url, key, "probe-model", isStream)
	}
}

func declared() (all []model.Tool) {
	for _, name := range []string{"read_file", "write_file", "run_shell_command"} {
		properties := map[string]any{}
		for _, key := range tools[name].keys {
			properties[key] = map[string]string{"type": "string"}
		}
		schema, err := session.JSON(map[string]any{"type": "object", "properties": properties, "required": tools[name].keys})
		if err != nil {
			panic(err) // of texts alone
		}
		all = append(all, model.Tool{Name: name, Description: name, InputSchema: schema})
	}
	return all
}

func execute(ctx context.Context, call session.Message, _ loop.Variables) func() (loop.ToolReturn, error) {
	done := make(chan func() (loop.ToolReturn, error), 1)
	go func() {
		var input map[string]string
		// What is no text is none of the arguments that the tool takes.
		_ = json.Unmarshal(call.Input, &input)
		output, err := tools[call.Name].execute(ctx, input)
		output = strings.ToValidUTF8(output[:min(len(output), longest)], "\uFFFD")
		done <- func() (loop.ToolReturn, error) { return loop.ToolReturn{Output: session.Text(output)}, err }
	}()
	return func() (loop.ToolReturn, error) { return (<-done)() }
}

func shell(ctx context.Context, input map[string]string) (string, error) {
	command := exec.CommandContext(ctx, "sh", "-c", input["command"])
	// What the command left running may keep its output open.
	command.WaitDelay = time.Second
	output, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return fmt.Sprintf("%s\n%s", output, err), nil
	}
	return string(output), err
}

func load() (session.Session, error) {
	kept := session.Session{SpecVersion: "1.0", ID: "probe"}
	text, err := os.ReadFile(store)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err != nil {
		return kept, err
	}
	return kept, json.Unmarshal(text, &kept)
}

func save(now session.Session) error {
	text, err := session.JSON(now)
	if err != nil {
		return err
	}
	return os.WriteFile(store, text, 0o600)
}

// clock is the time since the program began.
type clock struct{ began time.Time }

func (c clock) Now() int64 { return time.Since(c.began).Milliseconds() }

func (c clock) After(ms int64, then func()) func() {
	timer := time.AfterFunc(time.Duration(ms)*time.Millisecond, then)
	return func() { timer.Stop() }
}
