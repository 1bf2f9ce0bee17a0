// Estimates: how many tokens messages are likely to have. [COMPACT-3]

package compaction

import (
	"unicode/utf8"

	"agentloop/session"
)

const (
	charactersOfAToken = 4
	tokensOfAPart      = 250 // one that is not text
)

// Tokens is an estimate of messages. One that is never sent has none.
func Tokens(messages []session.Message) int64 {
	characters, parts := 0, 0
	for _, message := range messages {
		if message.Status != session.Incomplete {
			characters += charactersOf(message)
			parts += partsOf(message.Content) + partsOf(message.Output)
		}
	}
	return tokens(characters) + int64(parts)*tokensOfAPart
}

// TokensOf is an estimate of texts.
func TokensOf(texts ...string) int64 {
	characters := 0
	for _, text := range texts {
		characters += utf8.RuneCountInString(text)
	}
	return tokens(characters)
}

func tokens(characters int) int64 {
	return int64((characters + charactersOfAToken - 1) / charactersOfAToken)
}

// charactersOf are those of texts, thoughts, names and arguments of calls, and outputs.
func charactersOf(message session.Message) int {
	count := textOf(message.Content) + textOf(message.Output)
	if message.Kind() == session.ToolCall {
		count += utf8.RuneCountInString(message.Name) + utf8.RuneCountInString(arguments(message))
	}
	return count
}

func textOf(content session.Content) int {
	count := utf8.RuneCountInString(content.Text)
	for _, part := range content.Parts {
		count += utf8.RuneCountInString(part.Text)
	}
	return count
}

func partsOf(content session.Content) int {
	count := 0
	for _, part := range content.Parts {
		if part.Type != "text" {
			count++
		}
	}
	return count
}

// arguments are those of a call as text.
func arguments(call session.Message) string {
	if !call.HasInput() && call.RawInput != nil {
		return *call.RawInput
	}
	return string(call.Input)
}
