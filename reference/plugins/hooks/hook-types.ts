// The types of hooks, by point: what a hook is given, and what it may answer.

import type { HookCall, HookFilter, HookPoint, HookReply } from "../../../schemas/types.ts";

/** What every hook is given. */
type Always = "point" | "turn" | "agent" | "session_id";

/** What a hook is given beside that, by its point. */
interface Given {
  run_start: never;
  user_input: "message";
  turn_start: never;
  before_model: never;
  after_model: "messages";
  before_tool: "call";
  after_tool: "call" | "output";
  tool_failure: "call" | "output" | "outcome";
  turn_end: never;
  before_compaction: "compaction" | "messages";
  after_compaction: "compaction";
  stop: "status" | "final_text";
  run_end: "status" | "final_text";
}

/** What of a reply counts, by point. */
interface Used {
  run_start: never;
  user_input: "block" | "add_context";
  turn_start: never;
  before_model: "block" | "add_context";
  after_model: "block";
  before_tool: "block" | "skip" | "input" | "output" | "is_error";
  after_tool: "output" | "is_error" | "add_context";
  tool_failure: "output" | "is_error" | "add_context";
  turn_end: never;
  before_compaction: "block";
  after_compaction: never;
  stop: "block";
  run_end: never;
}

/** The call of a hook at a point: what belongs to the point is there. */
export type HookCallAt<Point extends HookPoint> = Pick<HookCall, Always> &
  Required<Pick<HookCall, Given[Point]>> & { point: Point };

/** What a hook may answer at a point. */
export type HookReplyAt<Point extends HookPoint> = Pick<HookReply, Used[Point]>;

/** Code of the caller that a run calls at one point. */
export interface HookAt<Point extends HookPoint> extends HookFilter {
  point: Point;
  /** @returns the reply, if any. The signal is aborted when the run no longer waits for it. */
  run(call: HookCallAt<Point>, signal: AbortSignal): Answer<Point> | Promise<Answer<Point>>;
}

type Answer<Point extends HookPoint> = [Used[Point]] extends [never] ? unknown : HookReplyAt<Point> | undefined | void;

/** Code of the caller that a run calls at a point. Its point decides what it is given and what it may answer. */
export type Hook = { [Point in HookPoint]: HookAt<Point> }[HookPoint];

/** A hook as the run calls it, whatever its point. */
export interface AnyHook extends HookFilter {
  run(call: HookCall, signal: AbortSignal): HookReply | void | Promise<HookReply | void>;
}
