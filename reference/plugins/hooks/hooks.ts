// Where hooks are asked, and what their answers do. Plugs into every point.

import { resultWith } from "../tools/approval.ts";
import { say, type Boundary } from "../turns/steering.ts";
import { ToolError } from "../../core/execute-tool-calls.ts";
import type { ExecutableCall, Ports, State, ToolReturn } from "../../core/ports.ts";
import { lastCalls, madeUpResult } from "../../core/session.ts";
import { count, counted } from "../../state/counters.ts";
import type { Ask } from "./ask-hooks.ts";
import { denied } from "../tools/permissions.ts";
import type { Tripwire } from "../../run/early-ending.ts";
import type {
  CallDecision,
  Ending,
  HookCall,
  HookPoint,
  Message,
  RunOptions,
  ToolResultMessage,
} from "../../../schemas/types.ts";
import { listed } from "../../tools/validate-input.ts";

/** The hooks of a run, as what plugs into its points. */
export interface HookPoints {
  aroundModel(invokeModel: Ports["invokeModel"]): Ports["invokeModel"];
  beforeTool(decide: Ports["decide"], validate: ValidateCall): Ports["decide"];
  afterTool(executeTool: Ports["executeTool"]): Ports["executeTool"];
  /** Asks about what the user said, says what hooks have to add, and asks before the model is called. */
  opener: Boundary | undefined;
  /** Asks whether a run that has completed may end. */
  keeper: Boundary | undefined;
  /** What hooks have to say that was not said yet. */
  unsaid(): NonNullable<State["unsaid"]>;
  /** Says that something happened at a point that nothing follows from. */
  tell(point: "run_start" | "run_end", state: State): Promise<void>;
}

type ValidateCall = (call: ExecutableCall, state: State) => ReturnType<Ports["validateInput"]>;

/** What a run without hooks has. */
export const noHooks: HookPoints = {
  aroundModel: (invokeModel) => invokeModel,
  beforeTool: (decide) => decide,
  afterTool: (executeTool) => executeTool,
  opener: undefined,
  keeper: undefined,
  unsaid: () => [],
  tell: async () => {},
};

export function hookPoints(ask: Ask, tripwire: Tripwire, { max_stop_blocks = 3 }: RunOptions): HookPoints {
  /** What hooks have to say, and the call about which they do. */
  const toSay: { text: string; id?: string }[] = [];
  const heard = new WeakSet<Message>(); // what user_input was asked about
  let askedTurn = 0; // for which before_model was asked
  let endedTurn = 0; // for which turn_end was asked

  const at = (point: HookPoint, { turn, agent, session }: State): HookCall => ({
    point,
    turn,
    agent,
    session_id: session.id,
  });
  const hear = async (call: HookCall): Promise<Ending | undefined> => {
    const { block, add_context } = await ask(call);
    if (add_context !== undefined) toSay.push({ text: add_context });
    return block === undefined ? undefined : blocked(block);
  };
  /** In the order of the calls, whatever order their tools ended in. */
  const saySo = (state: State) => {
    const ids = lastCalls(state).map(({ id }) => id);
    const place = ({ id }: (typeof toSay)[number]) => (id === undefined ? ids.length : ids.indexOf(id));
    const texts = toSay.splice(0).sort((one, other) => place(one) - place(other));
    return say(texts.map(({ text }) => text).join("\n\n"));
  };
  const endTurn = async (state: State) => {
    if (state.turn > endedTurn) await ask(at("turn_end", state));
    endedTurn = state.turn;
  };

  return {
    aroundModel: (invokeModel) => async (request, turn, state) => {
      endedTurn = turn - 1;
      await ask({ ...at("turn_start", state), turn });
      const answer = await invokeModel(request, turn, state);
      const { block } = await ask({ ...at("after_model", state), turn, messages: answer.messages });
      if (block !== undefined) tripwire.trip(blocked(block));
      return answer;
    },

    beforeTool: (decide, validate) => async (call, state) => {
      const { block, skip, input, output, is_error } = await ask({ ...at("before_tool", state), call });
      if (block !== undefined) return denied(call, block);
      if (skip) return answer(madeUpResult(call, "skipped", `The call of ${call.name} was skipped.`));
      if (output !== undefined) return answer(resultWith(call, { output, is_error: is_error ?? false }));
      if (!input) return decide(call, state);
      const edited = { ...call, input };
      const problems = await validate(edited, state);
      if (problems.length > 0) return answer(madeUpResult(call, "invalid_arguments", invalidText(problems)));
      const decision = await decide(edited, state);
      return decision.do === "answer" ? decision : { input, ...decision };
    },

    afterTool: (executeTool) => async (call, context, state) => {
      const asked = { ...at("after_tool", state), call };
      const change = async (told: HookCall): Promise<ToolReturn | undefined> => {
        const { output, is_error = false, add_context } = await ask(told);
        if (add_context !== undefined) toSay.push({ text: add_context, id: call.id });
        return output === undefined ? undefined : { output, is_error };
      };
      let returned: ToolReturn;
      try {
        const given = await executeTool(call, context, state);
        returned = typeof given === "string" || Array.isArray(given) ? { output: given } : given;
      } catch (thrown) {
        const { outcome, fatal } = thrown instanceof ToolError ? thrown : new ToolError("");
        const output = thrown instanceof Error ? thrown.message : String(thrown);
        const changed =
          context.signal.aborted || outcome === "suspended"
            ? undefined
            : await change({ ...asked, point: "tool_failure", output, outcome });
        if (changed && fatal) throw new ToolError(textOf(changed.output), { fatal }); // other words keep no run going [TOOL-18]
        if (changed) return changed;
        throw thrown;
      }
      const output = returned.output ?? JSON.stringify(returned.data);
      const changed = await change(
        returned.is_error ? { ...asked, point: "tool_failure", output, outcome: "error" } : { ...asked, output },
      );
      return changed ? { ...returned, ...changed } : returned;
    },

    async opener(state) {
      const { messages } = state.session;
      await endTurn(state);
      for (const message of saidAtTheEnd(messages)) {
        if (heard.has(message)) continue;
        heard.add(message);
        const ending = await hear({ ...at("user_input", state), message });
        if (ending) return { do: "end", ending };
      }
      if (toSay.length > 0) return saySo(state);
      if (state.ending || askedTurn > state.turn) return { do: "continue" };
      askedTurn = state.turn + 1;
      const ending = await hear(at("before_model", state));
      if (ending) return { do: "end", ending };
      return toSay.length > 0 ? saySo(state) : { do: "continue" };
    },

    async keeper(state) {
      if (state.ending?.status !== "completed") return { do: "continue" };
      const blocks = counted(state, "stop_blocks");
      const { block } = await ask({ ...at("stop", state), status: state.ending.status });
      if (block === undefined || blocks >= max_stop_blocks) return { do: "continue" };
      count(state, "stop_blocks", blocks + 1);
      return say(block);
    },

    unsaid: () => [...toSay],

    async tell(point, state) {
      if (point === "run_end") await endTurn(state);
      await ask({ ...at(point, state), ...(point === "run_end" && state.ending && { status: state.ending.status }) });
      if (point === "run_end") return;
      // A run that goes on may do so in the middle of a turn.
      const isUnderWay = state.phase === "executing" || state.phase === "deciding";
      toSay.push(...(state.unsaid ?? []));
      delete state.unsaid; // it is kept here from now on
      endedTurn = isUnderWay ? state.turn - 1 : state.turn;
      if (isUnderWay) await ask(at("turn_start", state));
    },
  };
}

function blocked(reason: string): Ending {
  return { status: "stopped", stop_condition: "blocked", reason };
}

function answer(result: ToolResultMessage): CallDecision {
  return { do: "answer", result };
}

function textOf(output: ToolReturn["output"] = ""): string {
  if (typeof output === "string") return output;
  return output.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function invalidText(problems: Awaited<ReturnType<ValidateCall>>): string {
  return `The arguments were changed, and do not match the schema: ${listed(problems)}. Nothing was executed.`;
}

/** What the user has said since anybody else said something. */
function saidAtTheEnd(messages: Message[]): Message[] {
  const said = messages.slice(messages.findLastIndex(({ role }) => role !== "user") + 1);
  return said.filter((message) => !("synthetic" in message && message.synthetic));
}
