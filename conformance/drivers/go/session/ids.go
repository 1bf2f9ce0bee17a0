// Ids: each call has one that no other call of its session has.

package session

import "strconv"

// CallIDs are the ids of all calls of the messages.
func CallIDs(messages []Message) TakenIDs {
	taken := TakenIDs{}
	for _, message := range messages {
		if message.Kind() == ToolCall {
			taken.add(message.ID)
		}
	}
	return taken
}

// UniqueID is the id itself, or followed by the lowest number from 2 that makes it new; it is taken from now on. [SESSION-9]
func UniqueID(id string, taken TakenIDs) string {
	unique := id
	for taken[unique] > 0 {
		taken[id]++
		unique = id + "_" + strconv.Itoa(taken[id])
	}
	taken.add(unique)
	return unique
}

// TakenIDs are ids that calls have, each with the number up to which those made of it are taken, too: a thousand calls may
// come under one id.
type TakenIDs map[string]int

func (t TakenIDs) add(id string) {
	if t[id] == 0 {
		t[id] = 1
	}
}
