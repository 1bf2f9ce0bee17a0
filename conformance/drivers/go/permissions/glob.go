// Patterns: a star stands for any text, and everything else for itself. No pattern takes longer than its length times that of
// the text. [PERMISSION-32]

package permissions

import "strings"

// Fits says whether the whole text fits the pattern.
func Fits(pattern, text string) bool { return glob{}.fits(pattern, text) }

// glob is a way to compare a text with a pattern.
type glob struct {
	star   func(letter byte) bool // which letters a star may stand for; nil: every one
	inPart bool                   // also a part of the text may fit that a shell would read as a command
}

// fits follows all places in the pattern at which the text read so far may have come.
func (g glob) fits(pattern, text string) bool {
	at := make([]bool, len(pattern)+1)
	for read := 0; ; read++ {
		if read == 0 || g.inPart && beginsPart(text[:read]) {
			at[0] = true
		}
		passStars(pattern, at)
		if at[len(pattern)] && (read == len(text) || g.inPart && endsPart(text[read:])) {
			return true
		}
		if read == len(text) {
			return false
		}
		at = g.step(pattern, at, text[read])
	}
}

// passStars lets a star stand for nothing.
func passStars(pattern string, at []bool) {
	for place := range len(pattern) {
		if at[place] && pattern[place] == '*' {
			at[place+1] = true
		}
	}
}

func (g glob) step(pattern string, at []bool, letter byte) []bool {
	next := make([]bool, len(at))
	for place := range len(pattern) {
		switch {
		case !at[place]:
		case pattern[place] == '*':
			next[place] = next[place] || g.star == nil || g.star(letter)
		case pattern[place] == letter:
			next[place+1] = true
		}
	}
	return next
}

// separators are the characters that a shell reads as more than text.
const separators = "\r\n;&|<>$`(){}\\"

func isText(letter byte) bool { return !strings.ContainsRune(separators, rune(letter)) }

// beginsPart says whether a part may begin after this text: after a separator, white space aside.
func beginsPart(before string) bool {
	return endsInSeparator(before) || endsInSeparator(strings.TrimRight(before, " \t\v\f"))
}

func endsInSeparator(text string) bool { return text == "" || !isText(text[len(text)-1]) }

// endsPart says whether a part may end before this text.
func endsPart(after string) bool {
	return beginsInSeparator(after) || beginsInSeparator(strings.TrimLeft(after, " \t\v\f"))
}

func beginsInSeparator(text string) bool { return text == "" || !isText(text[0]) }
