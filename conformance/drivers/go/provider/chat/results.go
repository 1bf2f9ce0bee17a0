// Results and parts: what a tool message carries, and what has to stand behind the results.

package chat

import (
	"encoding/base64"
	"strings"

	"agentloop/model"
	"agentloop/session"
)

// result sends the text of a result, and keeps its images and documents for a user message. [CHAT-3, CHAT-5]
func (r *renderer) result(message session.Message) {
	sent := object{"role": "tool", "tool_call_id": r.ids.Of(message.ID), "content": message.Output.Text}
	var beside []object
	if message.Output.IsParts {
		var texts []string
		var others []session.Part
		for _, part := range message.Output.Parts {
			if part.Type == "text" && part.Text != "" {
				texts = append(texts, part.Text)
			} else {
				others = append(others, part)
			}
		}
		sent["content"] = strings.Join(texts, "\n")
		beside = r.parts(others)
	}
	if message.IsError && sent["content"] == "" && len(beside) == 0 {
		sent["content"] = model.SilentFailure
	}
	r.moved = append(r.moved, beside...)
	r.messages = append(r.messages, sent)
}

// endResults sends what was moved out of the results.
func (r *renderer) endResults() {
	if len(r.moved) > 0 {
		r.messages = append(r.messages, object{"role": "user", "content": r.moved})
	}
	r.moved = nil
}

func (r *renderer) parts(all []session.Part) []object {
	var sent []object
	for _, part := range all {
		if rendered := renderPart(part); rendered != nil {
			sent = append(sent, rendered)
		} else {
			r.listener.Warn("part_dropped", "a part of type "+part.Type+" that is empty, or that the API does not know, is not sent")
		}
	}
	return sent
}

func renderPart(part session.Part) object {
	switch part.Type {
	case "text":
		if part.Text == "" {
			return nil
		}
		return object{"type": "text", "text": part.Text}
	case "image":
		url := part.URL
		if url == "" {
			url = dataURL(part)
		}
		return object{"type": "image_url", "image_url": object{"url": url}}
	case "document":
		return renderDocument(part)
	}
	return nil
}

func renderDocument(part session.Part) object {
	if part.URL != "" {
		return nil
	}
	if part.MediaType == "text/plain" {
		text, err := base64.StdEncoding.DecodeString(part.Data)
		if err != nil || len(text) == 0 {
			return nil
		}
		return object{"type": "text", "text": string(text)}
	}
	name := part.Title
	if name == "" {
		name = "document.pdf"
	}
	return object{"type": "file", "file": object{"filename": name, "file_data": dataURL(part)}}
}

func dataURL(part session.Part) string { return "data:" + part.MediaType + ";base64," + part.Data }
