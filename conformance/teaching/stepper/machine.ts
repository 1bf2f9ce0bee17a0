// The state machine as data: its states, its transitions, and where they stand in the diagram.

import type { Phase } from "../../../schemas/types.ts";

/** A transition by its ends. */
export type Edge = `${Phase}>${Phase}`;

/** A state, what happens in it, and the middle of its box. */
export interface StateBox {
  what: string;
  x: number;
  y: number;
}

/** The field of the diagram, and the size of a box. */
export const field = { width: 592, height: 330, box: { width: 130, height: 38 } };

export const states: Record<Phase, StateBox> = {
  turn_boundary: { what: "limits, stops and what was said are looked at", x: 82, y: 130 },
  calling_model: { what: "the request is sent, the response is stored", x: 232, y: 34 },
  deciding: { what: "the stop table is read, every call is judged", x: 408, y: 34 },
  suspended: { what: "the run has returned and waits for its caller", x: 512, y: 130 },
  executing: { what: "the calls are executed or answered", x: 408, y: 226 },
  done: { what: "the run has returned", x: 82, y: 292 },
};

/** Each transition, when it is taken, and its line. */
export const edges: Partial<Record<Edge, { when: string; path: string }>> = {
  "turn_boundary>turn_boundary": { when: "something is appended or replaced", path: "M 52 111 C 28 62 96 62 82 108" },
  "turn_boundary>calling_model": { when: "go on", path: "M 112 111 C 122 62 138 40 164 35" },
  "turn_boundary>done": { when: "finished, a limit, a stop, a cancel", path: "M 82 149 L 82 270" },
  "calling_model>deciding": { when: "the response is stored", path: "M 297 34 L 340 34" },
  "calling_model>done": { when: "something broke", path: "M 220 53 C 200 140 150 230 112 271" },
  "deciding>executing": { when: "execute", path: "M 408 53 L 408 204" },
  "deciding>suspended": { when: "a call waits for the caller", path: "M 462 53 C 490 66 502 84 507 108" },
  "deciding>turn_boundary": { when: "recover, finish", path: "M 370 53 C 310 92 230 112 150 122" },
  "deciding>done": { when: "fail, a cancel", path: "M 386 53 C 340 150 240 240 150 284" },
  "suspended>executing": { when: "resume", path: "M 524 149 C 520 190 500 214 476 222" },
  "executing>suspended": { when: "some calls wait for the caller", path: "M 446 207 C 470 190 486 174 494 151" },
  "executing>turn_boundary": { when: "every call is answered", path: "M 343 218 C 270 206 200 180 136 152" },
  "executing>done": { when: "a fatal error, a condition, a cancel", path: "M 343 236 C 280 256 220 276 150 290" },
};
