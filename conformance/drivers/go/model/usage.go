// Usage: tokens, where unknown is not zero.

package model

// Usage counts the tokens of one or more model calls; nil means unknown.
type Usage struct {
	InputTokens      *int64 `json:"input_tokens"`
	OutputTokens     *int64 `json:"output_tokens"`
	CacheReadTokens  *int64 `json:"cache_read_tokens"`
	CacheWriteTokens *int64 `json:"cache_write_tokens"`
	ReasoningTokens  *int64 `json:"reasoning_tokens"`
}

// Plus is the sum of both, in which an unknown number counts as absent. [RESULT-4]
func (u Usage) Plus(other Usage) Usage {
	return Usage{
		InputTokens:      sum(u.InputTokens, other.InputTokens),
		OutputTokens:     sum(u.OutputTokens, other.OutputTokens),
		CacheReadTokens:  sum(u.CacheReadTokens, other.CacheReadTokens),
		CacheWriteTokens: sum(u.CacheWriteTokens, other.CacheWriteTokens),
		ReasoningTokens:  sum(u.ReasoningTokens, other.ReasoningTokens),
	}
}

// IsCounted says whether the provider counted input and output.
func (u Usage) IsCounted() bool { return u.InputTokens != nil && u.OutputTokens != nil }

// Total is input and output together, as far as they are known.
func (u Usage) Total() int64 {
	if total := sum(u.InputTokens, u.OutputTokens); total != nil {
		return *total
	}
	return 0
}

func sum(a, b *int64) *int64 {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	total := *a + *b
	return &total
}
