// Bounds: an answer of which no more is read than a run allows.

package wire

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"agentloop/model"
)

// longestError is how much of what a server says about a failure is read, in bytes.
const longestError = 1 << 20

// nestedTooDeep is the failure of an answer that nobody can read.
var nestedTooDeep = fmt.Sprintf("the answer has something nested deeper than %d, which is more than any bounds.depth lets be read", model.Readable)

// tooLong is the error with which a reader ends that has come to a bound. [PROVIDER-43]
type tooLong struct{ what, most string }

func (t *tooLong) Error() string { return "it has " + t.what + " of more bytes than " + t.most }

// boundedReader reads so many bytes, and fails if there are more.
type boundedReader struct {
	body   io.Reader
	bounds model.Bounds
	left   int64
}

func bounded(body io.Reader, bounds model.Bounds) io.Reader {
	return &boundedReader{body, bounds, bounds.BodyBytes}
}

func (b *boundedReader) Read(into []byte) (int, error) {
	read, err := b.body.Read(into[:min(int64(len(into)), b.left+1)])
	if int64(read) > b.left {
		return int(b.left), &tooLong{"an answer", b.bounds.Most("body_bytes")}
	}
	b.left -= int64(read)
	return read, err
}

// tooLong is the error of a call whose answer was longer than a bound; nil if that is not what ended the reading.
func (e *Endpoint) tooLong(err error) *model.Error {
	var long *tooLong
	if !errors.As(err, &long) {
		return nil
	}
	return model.Errorf(model.InvalidResponse, "%s sent %s of more bytes than %s; no more of it was read", e.Provider, long.what, long.most)
}

// noJSON is the error of a whole answer that cannot be read.
func (e *Endpoint) noJSON(answered *http.Response, said []byte) *model.Error {
	if model.IsDeeper(said, model.Readable) {
		return model.Errorf(model.InvalidResponse, "%s", nestedTooDeep)
	}
	return model.Errorf(model.InvalidResponse, "expected JSON from %s, got %s: %.200s",
		e.Provider, answered.Header.Get("content-type"), said)
}
