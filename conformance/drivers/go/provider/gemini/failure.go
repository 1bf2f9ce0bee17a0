// Failures: what the errors of the API say in their words and their details.

package gemini

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"agentloop/model"
	"agentloop/provider/wire"
)

// How the API says that a conversation is longer than the model can read. [GEMINI-18]
var overflow = regexp.MustCompile(`(?i)exceeds the maximum number of tokens|input context is too long`)

// amend adds to an error its word, how long to wait, and of which kind it is where the status does not say that.
func amend(failed *model.Error, said wire.Object) {
	if word := said.Text("status"); word != "" {
		failed.Code = word
	}
	for _, each := range said.List("details") {
		detail := wire.ReadObject(each)
		if failed.RetryAfterMS == nil {
			failed.RetryAfterMS = duration(detail.Text("retryDelay")) // [GEMINI-12]
		}
		if detail.Text("reason") == "API_KEY_INVALID" {
			failed.Kind = model.Authentication // [GEMINI-19]
		}
	}
	if failed.Kind == model.InvalidRequest && overflow.MatchString(failed.Message) {
		failed.Kind = model.ContextExceeded
	}
}

// duration is a time such as 34.5s in milliseconds; nil if it is none.
func duration(written string) *int64 {
	amount, isSeconds := strings.CutSuffix(written, "s")
	seconds, err := strconv.ParseFloat(amount, 64)
	if !isSeconds || err != nil || strings.Trim(amount, "0123456789.") != "" {
		return nil
	}
	ms := int64(min(math.Ceil(seconds*1000), wire.LongestWait))
	return &ms
}
