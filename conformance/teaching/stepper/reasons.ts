// Why a transition is as it is: the requirements of the spec that decide it, by what is known of it. A table.

import type { Edge } from "./machine.ts";

/**
 * One row: the transitions that it is about, the requirement, what was decided, what has to be known for it, and what must not be.
 * `a|b` is known if one of both is. What the last word is about is put behind what was decided.
 */
export type Reason = readonly [
  on: readonly Edge[],
  requirement: string,
  what: string,
  wanted?: readonly string[],
  unless?: readonly string[],
];

const begin: Edge[] = ["turn_boundary>calling_model"];
const between: Edge[] = ["turn_boundary>turn_boundary"];
const call: Edge[] = ["calling_model>deciding"];
const execute: Edge[] = ["deciding>executing"];
const suspend: Edge[] = ["deciding>suspended"];
const skip: Edge[] = ["deciding>turn_boundary", "deciding>done"];
const resume: Edge[] = ["suspended>executing"];
const store: Edge[] = ["executing>turn_boundary", "executing>done"];
const stop: Edge[] = ["executing>done"];
const wait: Edge[] = ["executing>suspended"];
const over: Edge[] = ["turn_boundary>done"];
const anyEnd: Edge[] = ["turn_boundary>done", "calling_model>done", "deciding>done", "executing>done"];

const cutOff = "stop:max_tokens|stop:context_window_exceeded";
const failed = "stop:error|stop:interrupted";

/** The table, in the order of the loop. */
export const reasons: readonly Reason[] = [
  [begin, "LOOP-22", "begin a turn"],
  [begin, "SESSION-6", "every call has its result: the model is asked again", ["results"]],

  [between, "LOOP-53", "append what a person said meanwhile", ["said"]],
  [between, "SESSION-1", "append at the end, and nowhere else", ["synthetic"]],
  [
    between,
    "LOOP-44",
    "ask for the rest of a text that was cut off",
    ["synthetic", cutOff, "no calls", "option:on_max_tokens=continue"],
  ],
  [between, "LOOP-46", "ask again after nothing", ["synthetic", "empty", "option:on_empty=retry"]],
  [
    between,
    "LOOP-61",
    "ask for the call that had to come",
    ["synthetic", "no calls", "option:tool_choice"],
    ["option:tool_choice=auto", "option:tool_choice=none"],
  ],
  [
    between,
    "LOOP-64",
    "say what is wrong with the output",
    ["synthetic", "no calls", "option:output_format"],
    ["option:output_by=tool", cutOff],
  ],
  [
    between,
    "LOOP-89",
    "ask for a call of the output tool",
    ["synthetic", "no calls", "option:output_by=tool"],
    [cutOff],
  ],
  [between, "COMPACT-1", "make the session smaller with", ["compacted"]],
  [between, "COMPACT-18", "shorten large results", ["shortened"]],
  [between, "LOOP-66", "from now on ask", ["switch"]],
  [between, "GUARDRAIL-14", "mark the response whose final text was refused", ["amended"]],

  [call, "LOOP-1", "send the whole session"],
  [call, "LOOP-2", "send the instructions first", ["instructions"]],
  [call, "LOOP-4", "send all tools", ["tools"]],
  [call, "RETRY-1", "try again after", ["retry"]],
  [call, "RETRY-2", "wait as long as the provider asked for:", ["retry:asked"]],
  [call, "RETRY-3", "wait longer each time:", ["retry:own"]],
  [call, "RETRY-7", "ask another model:", ["fallback"]],
  [call, "SESSION-4", "store the response as it came", ["response"]],
  [call, "SESSION-9", "rename a call whose id was taken", ["warning:duplicate_id_renamed"]],
  [call, "SESSION-10", "name a call that came without an id", ["warning:missing_id_generated"]],
  [call, "SESSION-12", "mark what was cut off", ["incomplete"], ["only thinking"]],
  [call, "SESSION-14", "mark thinking without an answer", ["incomplete", "only thinking"]],

  [execute, "LOOP-5", "execute the calls", ["stop:tool_use"]],
  [execute, "LOOP-6", "execute the calls although the model says it ended", ["stop:end_turn"]],
  [execute, "TOOL-4", "the arguments are valid:", ["valid"]],
  [execute, "TOOL-9", "answer without a tool:", ["answer:unknown_tool|answer:unknown_tool:no object"]],
  [execute, "TOOL-3", "answer what is no JSON object:", ["answer:invalid_arguments:no object"]],
  [execute, "TOOL-5", "answer what breaks the schema:", ["answer:invalid_arguments"]],
  [execute, "PERMISSION-4", "answer as denied, and go on:", ["answer:denied"]],
  [execute, "PERMISSION-1", "by the first row that holds:", ["option:permissions", "answer:denied"]],
  [execute, "TOOL-11", "the others run all the same:", ["answer:invalid_arguments|answer:unknown_tool", "valid"]],

  [suspend, "PERMISSION-11", "wait for a permission for", ["pending:approval"]],
  [suspend, "LOOP-33", "leave to the caller", ["pending:external"], ["option:execute_tools=false"]],
  [suspend, "LOOP-34", "leave to the caller", ["option:execute_tools=false", "pending:external"]],
  [suspend, "LOOP-35", "say which calls wait"],

  [skip, "LOOP-7", "finish: there is nothing to execute", ["no calls", "stop:tool_use"]],
  [skip, "LOOP-8", "warn", ["stop:tool_use", "no calls", "warning:tool_use_without_calls"]],
  [skip, "LOOP-7", "finish", ["no calls", "stop:end_turn"], ["empty"]],
  [skip, "LOOP-20", "finish, with nothing said", ["no calls", "empty", "stop:end_turn"]],
  [skip, "LOOP-7", "finish", ["no calls", "stop:stop_sequence"]],
  [skip, "LOOP-96", "finish as incomplete, the text kept", ["no calls", "stop:other"]],
  [skip, "LOOP-12", "finish, the text kept", ["no calls", cutOff]],
  [skip, "LOOP-9", "execute nothing that was cut off", ["calls", cutOff]],
  [skip, "LOOP-10", "ask the model again", ["calls", cutOff], ["last"]],
  [skip, "LOOP-13", "execute nothing, and finish", ["calls", "stop:stop_sequence"]],
  [skip, "LOOP-14", "finish, the text kept", ["stop:refusal|stop:content_filter"]],
  [skip, "LOOP-15", "execute nothing", ["calls", "stop:refusal|stop:content_filter"]],
  [skip, "LOOP-17", "execute nothing, and finish", ["calls", "stop:other"]],
  [skip, "LOOP-32", "give up asking for the rest", ["stop:pause"]],
  [skip, "LOOP-18", "fail, what was said kept", [failed], ["status:cancelled"]],
  [skip, "LOOP-19", "execute nothing", ["calls", failed], ["status:cancelled"]],
  [skip, "CANCEL-5", "keep what the model had said", ["status:cancelled", "incomplete"]],
  [skip, "CANCEL-6", "start nothing more:", ["status:cancelled", "outcome:cancelled"]],
  [skip, "SESSION-8", "answer in place of the tools:", ["made up"]],

  [resume, "LOOP-36", "answer as the caller decided, and execute the rest"],
  [resume, "LOOP-37", "count no turn"],

  [store, "SESSION-6", "one result for each call"],
  [store, "SESSION-7", "in the order of the calls"],
  [store, "TOOL-19", "run what is concurrent at the same time", ["overlap"]],
  [store, "SUBAGENT-1", "run an agent for a call of", ["subagent"]],
  [store, "TOOL-13", "store what the tool said, unchanged:", ["outcome:ok"]],
  [store, "TOOL-14", "if it threw, store the message as a result:", ["outcome:error"]],
  [store, "TOOL-17", "if it said itself that it failed, store that:", ["outcome:error"]],
  [store, "TOOL-26", "wait no longer for", ["outcome:timeout"]],
  [store, "SESSION-8", "answer in place of the tool:", ["made up"]],
  [store, "LOOP-68", "one handoff stands, to", ["outcome:skipped", "handoff"]],
  [store, "LOOP-67", "hand over to", ["handoff"], ["condition:no_active_agent"]],
  [store, "CANCEL-9", "nobody waits any longer for", ["outcome:cancelled"]],

  [stop, "TOOL-18", "end:", ["error:tool_fatal"]],
  [stop, "LOOP-52", "every result is final", ["condition:final_result"]],
  [stop, "LOOP-69", "nobody goes on", ["condition:no_active_agent"]],
  [
    stop,
    "LOOP-48",
    "a stop condition holds:",
    ["condition"],
    ["condition:final_result", "condition:no_active_agent", "condition:blocked"],
  ],
  [stop, "HOOK-12", "a hook has blocked the response", ["condition:blocked"]],
  [stop, "LOOP-88", "too many wrong outputs", ["status:structured_output_failed"]],

  [wait, "PERMISSION-21", "execute what can be executed, then wait"],
  [wait, "PERMISSION-19", "nobody has to decide about", ["option:approval_batch=eager", "started"]],
  [wait, "SUBAGENT-14", "a subagent waits:", ["subagent"]],

  [over, "LOOP-7", "end:", ["no calls", "status:completed"], ["empty"]],
  [over, "LOOP-20", "end, with nothing said", ["status:completed", "empty"]],
  [over, "LOOP-13", "end", ["status:completed", "calls", "stop:stop_sequence"]],
  [over, "LOOP-85", "end:", ["option:output_by=tool", "calls", "status:completed"]],
  [over, "LOOP-11", "end:", ["calls", "status:max_tokens"]],
  [over, "LOOP-12", "end:", ["no calls", "status:max_tokens"]],
  [over, "LOOP-16", "ask no more:", ["status:refused"]],
  [over, "LOOP-17", "end:", ["status:incomplete"]],
  [over, "LOOP-23", "end:", ["status:max_turns"]],
  [over, "LOOP-40", "end:", ["status:token_limit"]],
  [over, "LOOP-41", "end:", ["status:tool_call_limit"]],
  [over, "LOOP-42", "end:", ["status:error_limit"]],
  [over, "LOOP-43", "end:", ["status:deadline"]],
  [over, "LOOP-57", "end:", ["status:budget"]],
  [over, "LOOP-29", "end as it was asked to", ["condition:requested"]],
  [over, "LOOP-65", "end:", ["status:structured_output_failed"]],
  [over, "LOOP-62", "end:", ["error:tool_choice_violated"]],
  [over, "LOOP-72", "refuse:", ["error:session_in_use"]],
  [over, "SESSION-17", "refuse:", ["error:invalid_session"]],

  [anyEnd, "GUARDRAIL-1", "a guardrail ends the run", ["status:guardrail"]],
  [anyEnd, "CANCEL-1", "end:", ["status:cancelled"]],
  [anyEnd, "LOOP-27", "return a result"],
];
