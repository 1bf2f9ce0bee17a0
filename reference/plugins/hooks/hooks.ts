// Calls the hooks at the points of a run, and applies their replies.

import { listed } from "../../state/input-problems.ts";
import { denied, resultWith } from "../../state/tool-results.ts";
import { ToolError } from "../../core/execute-tool-calls.ts";
import type { ExecutableCall, Ports, State, ToolReturn } from "../../core/ports.ts";
import { lastCalls, resultText, syntheticResult } from "../../core/session.ts";
import { count, counted } from "../../state/counters.ts";
import { finalText, isCutOff } from "../../state/output.ts";
import type {
  CallDecision,
  Ending,
  HookCall,
  HookPoint,
  HookReply,
  Message,
  RunOptions,
  ToolResultMessage,
} from "../../../schemas/types.ts";
import { toolOf } from "../../tools/agents.ts";
import { type Plugin, type EarlyEnding, type Points, type Ask, followUp } from "../plugin.ts";
import { askHooks } from "./ask-hooks.ts";
import type { AnyHook, Hook } from "./hook-types.ts";

export interface HookSetup {
  /** Called at the points of the run, in this order. @see HOOK-1 */
  hooks?: Hook[];
}

export const hooks: Plugin<HookSetup> = {
  name: "hooks",
  options: ["hook_timeout_ms", "max_stop_blocks"],
  setup: ["hooks"],
  attach(run) {
    const { hooks: given = [] } = run.setup;
    if (given.length === 0 && run.state.unsaid === undefined) return;
    const { options, agents, validateInput, clock, signal, emit } = run;
    const timeoutMs = options.hook_timeout_ms === undefined ? 60_000 : options.hook_timeout_ms;
    const ask = askHooks({ hooks: given as AnyHook[], clock, timeoutMs, signal, emit });
    const validate: ValidateCall = ({ name, input }, { agent }) =>
      validateInput(toolOf(agents.definitions, agent, name).input_schema, input);
    let checkedTurn = run.state.turn; // the last turn whose response was shown to every hook
    const shown: Ask = async (call) => {
      const reply = await ask(call);
      if (call.point === "after_model" && !signal.aborted) checkedTurn = call.turn;
      return reply;
    };
    const isChecked = given.some(({ point }) => point === "after_model");
    return {
      ...hookPoints(shown, run.earlyEnding(), validate, options, run.folded !== undefined),
      ask: shown,
      keepsBack: (state) => isChecked && isCutOff(state) && checkedTurn < state.turn,
    };
  },
};

type ValidateCall = (call: ExecutableCall, state: State) => ReturnType<Ports["validateInput"]>;

export function hookPoints(
  ask: Ask,
  early: EarlyEnding,
  validate: ValidateCall,
  { max_stop_blocks = 3 }: RunOptions,
  isRecovered: boolean,
): Points {
  /** The context that hooks add, with the call that it is about, until it is appended. */
  const pendingContext: { text: string; id?: string }[] = [];
  const checked = new WeakSet<Message>(); // by the hooks of user_input
  let askedTurn = 0; // the last turn with a call of before_model
  let endedTurn = 0; // the last turn with a call of turn_end

  const at = (point: HookPoint, { turn, agent, session }: State): HookCall => ({
    point,
    turn,
    agent,
    session_id: session.id,
  });
  const askToGoOn = async (call: HookCall): Promise<Ending | undefined> => {
    const { block, contexts = [] } = await ask(call);
    pendingContext.push(...contexts.map((text) => ({ text })));
    return block === undefined ? undefined : blocked(block);
  };
  /** In call order, regardless of completion order. */
  const flushContext = (state: State) => {
    const ids = lastCalls(state).map(({ id }) => id);
    const place = ({ id }: (typeof pendingContext)[number]) => (id === undefined ? ids.length : ids.indexOf(id));
    const texts = pendingContext.splice(0).sort((one, other) => place(one) - place(other));
    const messages: Message[] = texts.map(({ text }) => ({ role: "user", content: text, synthetic: true }));
    return { do: "append", messages } as const;
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
      if (answer.error) return answer; // [HOOK-39]
      const { block } = await ask({ ...at("after_model", state), turn, messages: answer.messages });
      if (block !== undefined) early.end(blocked(block));
      return answer;
    },

    beforeCall: (decide) => async (call, state) => {
      const reply = await ask({ ...at("before_tool", state), call });
      const answered = answerOf(call, reply);
      if (answered) return answered;
      const { input } = reply;
      if (!input) return decide(call, state);
      const edited = { ...call, input };
      const problems = await validate(edited, state);
      if (problems.length > 0) return answer(syntheticResult(call, "invalid_arguments", invalidText(problems)));
      const decision = await decide(edited, state);
      return decision.do === "answer" ? decision : { input, ...decision };
    },

    async review(call, decision, state, when) {
      if (when !== "resumed") return decision;
      const reply = await ask({ ...at("before_tool", state), call });
      return answerOf(call, reply) ?? decision; // the arguments were decided on: they stay [HOOK-19]
    },

    aroundTool: (runTool) => async (call, context, state) => {
      const base = { ...at("after_tool", state), call };
      const change = async (payload: HookCall): Promise<ToolReturn | undefined> => {
        const { output, is_error = false, contexts = [] } = await ask(payload);
        pendingContext.push(...contexts.map((text) => ({ text, id: call.id })));
        return output === undefined ? undefined : { output, is_error };
      };
      let returned: ToolReturn;
      try {
        const given = await runTool(call, context, state);
        returned = typeof given === "string" || Array.isArray(given) ? { output: given } : given;
      } catch (thrown) {
        const { outcome, fatal } = thrown instanceof ToolError ? thrown : new ToolError("");
        const output = thrown instanceof Error ? thrown.message : String(thrown);
        const changed =
          context.signal.aborted || outcome === "suspended"
            ? undefined
            : await change({ ...base, point: "tool_failure", output, outcome });
        if (changed && fatal) throw new ToolError(textOf(changed.output), { fatal }); // a changed text does not keep the run going [TOOL-18]
        if (changed) return changed;
        throw thrown;
      }
      const output = returned.output ?? JSON.stringify(returned.data);
      const changed = await change(
        returned.is_error ? { ...base, point: "tool_failure", output, outcome: "error" } : { ...base, output },
      );
      return changed ? { ...returned, ...changed } : returned;
    },

    betweenTurns: {
      async beforeTurn(state) {
        const { messages } = state.session;
        await endTurn(state);
        for (const message of latestUserMessages(messages)) {
          if (checked.has(message)) continue;
          checked.add(message);
          const ending = await askToGoOn({ ...at("user_input", state), message });
          if (ending) return { do: "end", ending };
        }
        if (pendingContext.length > 0) return flushContext(state);
        if (state.ending || askedTurn > state.turn) return { do: "continue" };
        askedTurn = state.turn + 1;
        const ending = await askToGoOn(at("before_model", state));
        if (ending) return { do: "end", ending };
        return pendingContext.length > 0 ? flushContext(state) : { do: "continue" };
      },

      async beforeEnd(state) {
        if (state.ending?.status !== "completed") return { do: "continue" };
        const blocks = counted(state, "stop_blocks");
        if (blocks >= max_stop_blocks) return { do: "continue" }; // it would not be listened to [HOOK-36]
        const { block } = await ask({
          ...at("stop", state),
          status: state.ending.status,
          final_text: finalText(state),
        });
        if (block === undefined) return { do: "continue" };
        count(state, "stop_blocks", blocks + 1);
        return followUp(block);
      },
    },

    memory: () => (pendingContext.length > 0 ? { unsaid: [...pendingContext] } : {}),

    async begin(state) {
      await ask(at("run_start", state));
      if (isRecovered) for (const message of saidBefore(state.session.messages)) checked.add(message); // [HOOK-41]
      // A resumed run may continue in the middle of a turn.
      const isInTurn = state.phase === "executing" || state.phase === "deciding";
      pendingContext.push(...(state.unsaid ?? []));
      delete state.unsaid; // from now on it is held here
      endedTurn = isInTurn ? state.turn - 1 : state.turn;
      if (isInTurn) await ask(at("turn_start", state));
    },

    async end(state, finalText) {
      await endTurn(state);
      const final_text = finalText();
      await ask({ ...at("run_end", state), ...(state.ending && { status: state.ending.status }), final_text });
      if (state.phase === "suspended" && pendingContext.length > 0) state.unsaid = [...pendingContext];
    },
  };
}

function blocked(reason: string): Ending {
  return { status: "stopped", stop_condition: "blocked", reason };
}

/** What the hooks answer in place of the tool, if they do. @see HOOK-5 HOOK-7 HOOK-8 */
function answerOf(call: ExecutableCall, { block, skip, output, is_error }: HookReply): CallDecision | undefined {
  if (block !== undefined) return denied(call, block);
  if (skip) return answer(syntheticResult(call, "skipped", resultText("skipped", { name: call.name })));
  return output === undefined ? undefined : answer(resultWith(call, { output, is_error: is_error ?? false }));
}

function answer(result: ToolResultMessage): CallDecision {
  return { do: "answer", result };
}

function textOf(output: ToolReturn["output"] = ""): string {
  if (typeof output === "string") return output;
  return output.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function invalidText(problems: Awaited<ReturnType<ValidateCall>>): string {
  return resultText("wrong_changed_arguments", { problems: listed(problems) });
}

/** The user messages at the end of the session, without synthetic ones. */
function latestUserMessages(messages: Message[]): Message[] {
  const latest = messages.slice(messages.findLastIndex(({ role }) => role !== "user") + 1);
  return latest.filter((message) => !isSynthetic(message)); // [HOOK-40]
}

/** What the loop has spoken after: the process that has ended had asked the hooks about it. */
function saidBefore(messages: Message[]): Message[] {
  return messages.slice(0, messages.findLastIndex(isSynthetic) + 1);
}

function isSynthetic(message: Message): boolean {
  return "synthetic" in message && message.synthetic === true;
}
