// Makes scenarios of a conversation that a program really had: the rest as recorded, and one fault at a time at each exchange.

import type {
  Fixture,
  Message,
  ModelResponse,
  ProbeScenario,
  RequirementSeverity,
  ToolCallMessage,
} from "../../schemas/types.ts";
import type { ScriptedPart, ScriptedResponse, WireResponse } from "../kit/wire/codec.ts";
import { readExchanges } from "../traffic/read/read-exchange.ts";
import { answerOf, expressible, lose, NotApplicable, withThought } from "./answers.ts";
import type { Answer, AnswerContext } from "./answers.ts";
import type { Answering } from "./play-scenario.ts";
import type { Playable } from "./run-probe.ts";

/** What a fixture shows of one conversation. */
export interface RecordedConversation {
  /** The answers, in order, without those that failed. */
  answers: ModelResponse[];
  /** The calls that the program executes again. */
  calls: Pick<ToolCallMessage, "name" | "input">[];
}

/** Something that goes wrong with one answer. */
interface RecordedFault {
  name: string;
  title: string;
  requirement: string;
  check: ProbeScenario["expect"][number]["check"];
  severity: RequirementSeverity;
  broken: string;
  /** Whether it can happen to the answer. Absent: to every one. */
  fits?(answer: ModelResponse): boolean;
  answer(recorded: ModelResponse, context: AnswerContext): Answer;
}

/** Reads the conversation of a fixture. */
export async function recordedConversation(fixture: Fixture): Promise<RecordedConversation> {
  const read = await readExchanges(fixture);
  const answers = read
    .filter(({ request }) => request !== undefined && request.tools.length > 0)
    .flatMap(({ answer }) => (answer && !answer.error ? [answer] : []));
  const calls = answers.flatMap(({ messages }) => callsOf(messages)).map(({ name, input }) => ({ name, input }));
  return { answers, calls };
}

/** One scenario for each fault at each answer. */
export function scenariosOfRecording({ answers }: RecordedConversation, file: string): Playable[] {
  return answers.flatMap((recorded, at) =>
    faults
      .filter(({ fits }) => fits?.(recorded) ?? true)
      .map((fault) => ({
        name: `${at + 1}-${fault.name}`,
        file,
        scenario: scenarioOf(fault, at + 1),
        answers: answering(answers, at, fault),
      })),
  );
}

function scenarioOf({ title, requirement, check, severity, broken }: RecordedFault, exchange: number): ProbeScenario {
  const story = `In the recorded conversation, ${title.toLowerCase()} at exchange ${exchange}.`;
  return { title, story, severity, model: [{}], expect: [{ requirement, check, broken }] };
}

/** The recorded answers in order; before one of them, the fault. */
function answering(answers: readonly ModelResponse[], at: number, fault: RecordedFault): Answering {
  let next = 0;
  let isDone = false;
  return (_request, context) => {
    const recorded = answers[next];
    if (!recorded) return undefined;
    if (next === at && !isDone) {
      isDone = true;
      return fault.answer(recorded, context);
    }
    next += 1;
    return asRecorded(recorded, context, "");
  };
}

/** The answer as it was recorded, in the format and transport that are asked for now. Faulty ones have ids of their own. */
function asRecorded(
  recorded: ModelResponse,
  context: AnswerContext,
  suffix: string,
  change: Partial<ScriptedResponse> = {},
): Answer {
  const answer = {
    parts: withThought(
      recorded.messages.flatMap((message) => partsOf(message, suffix)),
      context,
    ),
    stop_reason: recorded.stop_reason,
    ...(recorded.raw_stop_reason != null && { raw_stop_reason: recorded.raw_stop_reason }),
    model: recorded.model ?? context.model,
    id: `probe${context.answers + 1}${suffix}`,
    ...change,
  };
  const response = expressible([answer], 0, context);
  const wire = context.codec.renderResponse(response, context.transport, context.body);
  const calls = response.parts.flatMap((part, at) =>
    "tool_call" in part
      ? [
          {
            number: context.calls + at + 1,
            id: part.tool_call.id ?? "",
            tool: part.tool_call.name,
            role: "safe" as const,
          },
        ]
      : [],
  );
  return { wire, calls, parts: response.parts };
}

function partsOf(message: Message, suffix: string): ScriptedPart[] {
  switch (message.type) {
    case "thinking":
      // Its seal is its provider's, and would be none of this one.
      return [];
    case "tool_call": {
      const { id, name, input, raw_input } = message;
      return [
        {
          tool_call: {
            id: `${id}${suffix}`,
            name,
            ...(input && { input }),
            ...(raw_input !== undefined && { raw_input }),
          },
        },
      ];
    }
    case "provider_item":
      return [{ provider_item: message.item }];
    default:
      return message.role === "assistant" ? [{ text: message.content }] : [];
  }
}

function callsOf(messages: readonly Message[]): ToolCallMessage[] {
  return messages.filter((message): message is ToolCallMessage => message.type === "tool_call");
}

const hasCalls = ({ messages }: ModelResponse) => callsOf(messages).length > 0;
const suffix = "_f";
const quietEnd = { check: "tells", severity: "misreports" } as const;

/** The faulty answer with a change of its calls. */
function changed(
  recorded: ModelResponse,
  context: AnswerContext,
  change: (call: ToolCallMessage) => ToolCallMessage,
): Answer {
  const messages = recorded.messages.map((message) => (message.type === "tool_call" ? change(message) : message));
  return asRecorded({ ...recorded, messages }, context, suffix);
}

function lost(where: Parameters<typeof lose>[1]) {
  return (recorded: ModelResponse, context: AnswerContext): Answer => {
    const whole = asRecorded(recorded, context, suffix);
    return { ...whole, wire: lose(whole.wire, where, context) };
  };
}

function sent(wire: (context: AnswerContext) => WireResponse) {
  return (_recorded: ModelResponse, context: AnswerContext): Answer => ({ wire: wire(context), calls: [], parts: [] });
}

function failed(kind: "rate_limit" | "overloaded" | "server_error") {
  return (_recorded: ModelResponse, context: AnswerContext): Answer =>
    answerOf({ fails: kind, ...(kind === "rate_limit" && { retry_after_ms: 1000 }) }, context);
}

/** The first that the provider has. */
function stopped(...reasons: ScriptedResponse["stop_reason"][]) {
  return (recorded: ModelResponse, context: AnswerContext): Answer => {
    const tried = reasons.map((stop_reason) => () => asRecorded(recorded, context, suffix, { stop_reason }));
    for (const [at, attempt] of tried.entries()) {
      try {
        return attempt();
      } catch (error) {
        if (!(error instanceof NotApplicable) || at === tried.length - 1) throw error;
      }
    }
    throw new NotApplicable("there is no reason to stop");
  };
}

const quiet = "The program ended as if all were well, although the answer never came whole.";

const faults: readonly RecordedFault[] = [
  {
    name: "lost-before-headers",
    title: "The connection is lost before the answer",
    requirement: "LOOP-18",
    ...quietEnd,
    broken: quiet,
    answer: lost("before_headers"),
  },
  {
    name: "cut-mid-stream",
    title: "The answer is cut in its middle",
    requirement: "PROVIDER-22",
    ...quietEnd,
    broken: quiet,
    answer: lost("mid_stream"),
  },
  {
    name: "cut-in-call",
    title: "The answer is cut inside of a call",
    requirement: "LOOP-19",
    check: "traffic",
    severity: "executes",
    broken: "A call was executed although the stream was lost inside of it.",
    fits: hasCalls,
    answer: lost("in_call"),
  },
  {
    name: "cut-before-end",
    title: "The answer is cut before its last event",
    requirement: "PROVIDER-22",
    ...quietEnd,
    broken: quiet,
    answer: lost("before_end"),
  },
  {
    name: "429",
    title: "The provider asks to wait",
    requirement: "RETRY-2",
    check: "traffic",
    severity: "bricks",
    broken: "The program asked again before the provider wanted it.",
    answer: failed("rate_limit"),
  },
  {
    name: "529",
    title: "The provider is overloaded",
    requirement: "LOOP-18",
    ...quietEnd,
    broken: quiet,
    answer: failed("overloaded"),
  },
  {
    name: "500",
    title: "The provider fails",
    requirement: "LOOP-18",
    ...quietEnd,
    broken: quiet,
    answer: failed("server_error"),
  },
  {
    name: "200-with-error",
    title: "An error comes with status 200",
    requirement: "PROVIDER-24",
    ...quietEnd,
    broken: "An error with status 200 was taken for an answer.",
    answer: sent((context) => ({
      ...context.codec.renderFault({ kind: "server_error", message: "probe failure", after: [] }, "json"),
      status: 200,
    })),
  },
  {
    name: "cut-arguments",
    title: "The token limit cuts off the arguments",
    requirement: "LOOP-9",
    check: "traffic",
    severity: "executes",
    broken: "A call was executed although the token limit cut it off.",
    fits: hasCalls,
    answer: cutArguments,
  },
  {
    name: "whole-call-at-limit",
    title: "The token limit ends the answer after a whole call",
    requirement: "LOOP-9",
    check: "traffic",
    severity: "executes",
    broken: "A call was executed although the token limit cut off the answer that asked for it.",
    fits: hasCalls,
    answer: stopped("max_tokens"),
  },
  {
    name: "unknown-tool",
    title: "The model calls a tool that does not exist",
    requirement: "TOOL-9",
    check: "answered",
    severity: "loses",
    broken: "The call of an unknown tool was never answered.",
    fits: hasCalls,
    answer: (recorded, context) => changed(recorded, context, (call) => ({ ...call, name: `${call.name}_x` })),
  },
  {
    name: "repeated-id",
    title: "Two calls have one id",
    requirement: "SESSION-9",
    check: "traffic",
    severity: "bricks",
    broken: "Two calls were sent back with one id.",
    fits: hasCalls,
    answer: repeatedId,
  },
  {
    name: "refusal",
    title: "The provider refuses the answer beside its calls",
    requirement: "LOOP-15",
    check: "traffic",
    severity: "executes",
    broken: "A call was executed although the answer that asked for it was refused.",
    fits: hasCalls,
    answer: stopped("content_filter", "refusal"),
  },
  {
    name: "empty",
    title: "The model says nothing",
    requirement: "LOOP-21",
    check: "traffic",
    severity: "bricks",
    broken: "The same request was sent once more because the answer was empty.",
    answer: (_recorded, context) => answerOf({ says: [] }, context),
  },
  {
    name: "slow",
    title: "The answer comes slowly",
    requirement: "LOOP-27",
    check: "ends",
    severity: "misreports",
    broken: "The program did not end.",
    answer: (recorded, context) => ({ ...asRecorded(recorded, context, suffix), pauseMs: 200 }),
  },
];

function cutArguments(recorded: ModelResponse, context: AnswerContext): Answer {
  const last = callsOf(recorded.messages).at(-1);
  const messages = recorded.messages.map((message): Message => {
    if (message !== last || message.type !== "tool_call") return message;
    return {
      ...message,
      input: null,
      raw_input: (message.raw_input ?? JSON.stringify(message.input)).slice(0, -3) || "{",
    };
  });
  return asRecorded({ ...recorded, messages }, context, suffix, { stop_reason: "max_tokens" });
}

function repeatedId(recorded: ModelResponse, context: AnswerContext): Answer {
  const [first] = callsOf(recorded.messages);
  return asRecorded({ ...recorded, messages: [...recorded.messages, first!] }, context, suffix);
}
