#!/usr/bin/env node
// A small agent program that keeps its requirements, in the format and transport of its environment, or breaks one: FAULT names it.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const { PROVIDER = "anthropic-messages", FAULT = "", STREAM = "1" } = process.env;
const streams = STREAM === "1";
const is = (fault) => FAULT === fault;
const store = "conversation.json";

const tools = [
  { name: "read_file", required: ["path"], properties: { path: { type: "string" } } },
  {
    name: "write_file",
    required: ["path", "content"],
    properties: { path: { type: "string" }, content: { type: "string" } },
  },
  { name: "run_shell_command", required: ["command"], properties: { command: { type: "string" } } },
].map(({ name, ...schema }) => ({
  name,
  description: name.replaceAll("_", " "),
  schema: { type: "object", ...schema },
}));

/** The conversation: {user}, {assistant: {text, thinking, calls}}, {results: [{id, output, isError}]}. */
const history = process.argv.includes("--continue") && existsSync(store) ? JSON.parse(readFileSync(store, "utf8")) : [];
if (is("forgets-history") && process.argv.includes("--continue")) history.length = 0;
const save = () => {
  if (!is("forgets-history")) writeFileSync(store, JSON.stringify(history));
};

const fail = (message) => {
  if (is("forgets-after-failure") && phase === "model") history.length = 0;
  save();
  if (is("silent-failure")) process.exit(0);
  console.error(`error: ${message}`);
  process.exit(1);
};

/** What the program waits for. */
let phase = "none";
/** The calls that were executed. */
const ran = [];
/** How many calls of the model have failed. */
let failures = 0;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    if (is("leaves-open-when-killed")) answerOpenCalls();
    if (is(`forgets-at-${signal}-${phase}`)) history.length = 0;
    phase = "none";
    fail(signal === "SIGINT" ? "interrupted" : "terminated");
  });

const wire = {
  "anthropic-messages": {
    url: `${process.env.ANTHROPIC_BASE_URL}/v1/messages`,
    headers: { "x-api-key": process.env.ANTHROPIC_API_KEY, "anthropic-version": "2023-06-01" },
    body: () => ({
      model: "probe-model",
      max_tokens: 4096,
      ...(is("no-thinking") ? {} : { thinking: { type: "enabled", budget_tokens: 1024 } }),
      stream: streams,
      tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
      messages: history.map((entry) => {
        if (entry.user !== undefined) return { role: "user", content: entry.user };
        if (entry.results)
          return {
            role: "user",
            content: entry.results.map(({ id, output, isError }) => ({
              type: "tool_result",
              tool_use_id: id,
              content: output,
              ...(isError && !is("hides-errors") && { is_error: true }),
            })),
          };
        const { text, thinking = [], calls } = entry.assistant;
        return {
          role: "assistant",
          content: [
            ...(is("drops-thinking")
              ? []
              : thinking.map(({ signature, ...rest }) => ({
                  ...rest,
                  signature: is("makes-up-signature") ? "bWFkZSB1cA==" : signature,
                }))),
            ...(text ? [{ type: "text", text }] : []),
            ...calls.map(({ id, name, input, raw }) => ({
              type: "tool_use",
              id,
              name,
              input: input ?? (is("sends-raw-arguments") ? raw : {}),
            })),
          ],
        };
      }),
    }),
    read(body) {
      if (body.type !== "message") throw new Error(body.error?.message ?? "not a message");
      return {
        stop:
          {
            end_turn: "end",
            tool_use: "calls",
            max_tokens: "limit",
            refusal: "refused",
            pause_turn: "pause",
            model_context_window_exceeded: "window",
            stop_sequence: "stopped",
          }[body.stop_reason] ?? "other",
        text: body.content
          .filter(({ type }) => type === "text")
          .map(({ text }) => text)
          .join(""),
        thinking: body.content.filter(({ type }) => /thinking/.test(type)),
        calls: body.content
          .filter(({ type }) => type === "tool_use")
          .map(({ id, name, input }) => ({ id, name, input, raw: JSON.stringify(input) })),
      };
    },
    gather(events) {
      let message;
      const raws = [];
      let isWhole = false;
      let closed = 0;
      for (const { data } of events) {
        if (data.type === "error" && !is("ignores-error-event")) throw new Error(data.error.message);
        if (data.type === "error") isWhole = true;
        if (data.type === "content_block_stop") closed += 1;
        if (data.type === "message_start") message = data.message;
        if (data.type === "content_block_start") {
          message.content[data.index] = data.content_block;
          raws[data.index] = "";
        }
        if (data.type === "content_block_delta") {
          const block = message.content[data.index];
          const { text, thinking, signature, partial_json: json } = data.delta;
          if (text !== undefined) block.text += text;
          if (thinking !== undefined) block.thinking += thinking;
          if (signature !== undefined) block.signature = signature;
          if (json !== undefined) raws[data.index] += json;
        }
        if (data.type === "message_delta") message.stop_reason = data.delta.stop_reason;
        if (data.type === "message_stop") isWhole = true;
      }
      const answer = message ? this.read(message) : { stop: "other", text: "", thinking: [], calls: [] };
      const used = (message?.content ?? []).flatMap(({ type }, at) => (type === "tool_use" ? [raws[at]] : []));
      answer.calls = answer.calls.map((call, at) => parsedCall({ ...call, raw: used[at] }));
      return { ...answer, isWhole, isClosed: closed >= (message?.content.length ?? 0) };
    },
  },
  "openai-chat": {
    url: `${process.env.OPENAI_BASE_URL}/chat/completions`,
    headers: { authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
    body: () => ({
      model: "probe-model",
      stream: streams,
      tools: tools.map(({ name, description, schema }) => ({
        type: "function",
        function: { name, description, parameters: schema },
      })),
      messages: history.flatMap((entry) => {
        if (entry.user !== undefined) return [{ role: "user", content: entry.user }];
        if (entry.results)
          return entry.results.map(({ id, output }) => ({ role: "tool", tool_call_id: id, content: output }));
        const { text, calls } = entry.assistant;
        const tool_calls = calls.map(({ id, name, raw, input }) => ({
          id,
          type: "function",
          function: { name, arguments: input ? raw : is("sends-raw-arguments") ? raw : "{}" },
        }));
        return [{ role: "assistant", content: text || null, ...(calls.length > 0 && { tool_calls }) }];
      }),
    }),
    read(body) {
      const choice = body.choices?.[0];
      if (!choice) throw new Error(body.error?.message ?? "not a completion");
      return this.made(
        choice.message.content ?? choice.message.refusal ?? "",
        choice.message.tool_calls ?? [],
        choice.message.refusal ? "refusal" : choice.finish_reason,
      );
    },
    made: (text, calls, finish) => ({
      stop:
        { stop: "end", tool_calls: "calls", length: "limit", content_filter: "refused", refusal: "refused" }[finish] ??
        "other",
      text,
      calls: calls.map(({ id, function: { name, arguments: raw } }) => parsedCall({ id, name, raw })),
    }),
    gather(events) {
      let [text, refusal, finish] = ["", "", undefined];
      const calls = [];
      for (const { data } of events) {
        if (data.error) throw new Error(data.error.message);
        const choice = data.choices?.[0];
        if (!choice) continue;
        text += choice.delta.content ?? "";
        refusal += choice.delta.refusal ?? "";
        for (const {
          index,
          id,
          function: { name = "", arguments: raw = "" },
        } of choice.delta.tool_calls ?? []) {
          const at = is("mixes-calls") ? Math.max(0, calls.length - (id ? 0 : 1)) : index;
          calls[at] ??= { id, function: { name, arguments: "" } };
          calls[at].function.arguments += raw;
        }
        finish = choice.finish_reason ?? finish;
      }
      return {
        ...this.made(text || refusal, calls.filter(Boolean), refusal ? "refusal" : finish),
        isWhole: finish !== undefined,
      };
    },
  },
  "openai-responses": {
    url: `${process.env.OPENAI_BASE_URL}/responses`,
    headers: { authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
    body: () => ({
      model: "probe-model",
      stream: streams,
      store: false,
      include: ["reasoning.encrypted_content"],
      tools: tools.map(({ name, description, schema }) => ({
        type: "function",
        name,
        description,
        parameters: schema,
        strict: false,
      })),
      input: history.flatMap((entry) => {
        if (entry.user !== undefined) return [{ role: "user", content: entry.user }];
        if (entry.results)
          return entry.results.map(({ id, output }) => ({ type: "function_call_output", call_id: id, output }));
        const { text, thinking = [], calls } = entry.assistant;
        return [
          ...(is("drops-thinking") ? [] : thinking),
          ...(text ? [{ role: "assistant", content: text }] : []),
          ...calls.map(({ id, name, raw, input }) => ({
            type: "function_call",
            call_id: id,
            name,
            arguments: input ? raw : is("sends-raw-arguments") ? raw : "{}",
          })),
        ];
      }),
    }),
    read(body) {
      if (body.object !== "response" || body.status === "failed")
        throw new Error(body.error?.message ?? "not a response");
      const parts = body.output.filter(({ type }) => type === "message").flatMap(({ content }) => content);
      const calls = body.output.filter(({ type }) => type === "function_call");
      const refused =
        parts.some(({ type }) => type === "refusal") || body.incomplete_details?.reason === "content_filter";
      const stop = refused
        ? "refused"
        : body.status === "incomplete"
          ? body.incomplete_details?.reason === "max_output_tokens"
            ? "limit"
            : "other"
          : calls.length > 0
            ? "calls"
            : "end";
      return {
        stop,
        text: parts.map(({ text, refusal }) => text ?? refusal).join(""),
        thinking: body.output.filter(({ type }) => type === "reasoning"),
        calls: calls.map(({ call_id: id, name, arguments: raw }) => parsedCall({ id, name, raw })),
      };
    },
    gather(events) {
      const failed = events.find(({ data }) => data.type === "error" || data.type === "response.failed");
      if (failed)
        throw new Error(
          failed.data.message ?? failed.data.error?.message ?? failed.data.response?.error?.message ?? "failed",
        );
      const last = events.find(({ data }) => /^response\.(completed|incomplete)$/.test(data.type));
      const items = events.filter(({ data }) => data.type === "response.output_item.done").map(({ data }) => data.item);
      return {
        ...this.read(last?.data.response ?? { object: "response", status: "completed", output: items }),
        isWhole: last !== undefined,
      };
    },
  },
}[PROVIDER];

/** Arguments that are no JSON object are null; a careless program mends them. */
function parsedCall(call) {
  try {
    const input = JSON.parse(call.raw === "" ? "{}" : call.raw);
    return { ...call, input: typeof input === "object" && !Array.isArray(input) ? input : null };
  } catch {
    if (!is("mends-arguments")) return { ...call, input: null };
    const path = /"path":"([^"]*)/.exec(call.raw)?.[1];
    const input = path === undefined ? null : { path, content: "mended" };
    return { ...call, input, raw: JSON.stringify(input ?? {}) };
  }
}

async function ask() {
  phase = "model";
  for (let attempt = 1; ; attempt++) {
    let answer;
    let waitMs = 100;
    let isAnswered = false;
    try {
      let body = JSON.stringify(wire.body());
      if (!is("rounds-numbers")) for (const [quoted, digits] of exact()) body = body.replaceAll(quoted, digits);
      const response = await fetch(wire.url, {
        method: "POST",
        headers: { "content-type": "application/json", ...wire.headers },
        body,
      });
      isAnswered = true;
      if (is(`hides-${response.status}`) && !hasResults()) process.exit(0);
      if (!response.ok) {
        const text = await response.text();
        const after = response.headers.get("retry-after");
        if (after !== null && !is("ignores-retry-after")) waitMs = Number(after) * 1000;
        if (is("hides-rate-limit") && response.status === 429 && after === null) process.exit(0);
        if (is("runs-again-after-overload") && response.status === 529 && hasResults())
          await execute(history.at(-2).assistant.calls[0]);
        if (![429, 500, 503, 529].includes(response.status) && !(is("repeats-rejected") && attempt === 1))
          return fail(`status ${response.status}: ${withoutKeys(text)}`);
        throw Object.assign(new Error(`status ${response.status}`), { isBusy: true });
      }
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      const pieces = [];
      let isBroken = false;
      try {
        for await (const piece of response.body) pieces.push(piece);
      } catch (error) {
        if (!streams) throw error;
        isBroken = true;
      }
      const text = Buffer.concat(pieces).toString("utf8");
      if (!isStream && is("takes-anything") && !/^\{"(id|type":"message)/.test(text))
        return { stop: "end", text, calls: [] };
      if (!isStream && is("takes-error-body") && text.includes('"error"'))
        return { stop: "end", text: "ok", calls: [] };
      answer = isStream ? wire.gather(eventsOf(text)) : { ...read(text), isWhole: true };
      const isWhole = answer.isWhole && !isBroken;
      if (!isWhole && is("executes-lost")) return { ...answer, calls: answer.calls.map(mended), stop: "calls" };
      if (!isWhole && is("accepts-lost")) return { ...answer, calls: [], stop: "end" };
      const { calls, isClosed } = answer;
      if (!isWhole && is("executes-unended") && isClosed && calls.length > 0) return { ...answer, stop: "calls" };
      if (!isWhole && is("executes-half-a-call") && !isClosed && calls.length > 0)
        return { ...answer, calls: calls.map(mended), stop: "calls" };
      if (!isWhole && is("accepts-unended") && isClosed && calls.length === 0) return { ...answer, stop: "end" };
      if (!isWhole && is("accepts-half-a-text") && !isClosed && calls.length === 0) return { ...answer, stop: "end" };
      if (!isWhole && is("keeps-half")) {
        history.push({ assistant: { text: answer.text, calls: [] } }, { user: "Go on." });
        continue;
      }
      if (!isWhole && is("accepts-without-end") && !isBroken) return answer;
      if (!isWhole) throw new Error("the stream was lost");
      return answer;
    } catch (error) {
      failures += 1;
      if (is("gives-up-silently") || (is("hides-reset") && !isAnswered)) process.exit(0);
      if (is("never-ends")) return new Promise(() => setInterval(() => {}, 1000));
      if (attempt > 3) return fail(error.message);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

const hasResults = () => history.some(({ results }) => results);

function withoutKeys(text) {
  const { ANTHROPIC_API_KEY: own } = process.env;
  const without = is("leaks-key") ? text : text.replaceAll(own, "[redacted]");
  return is("leaks-others-key") ? without : without.replaceAll(/\bsk-[\w-]{16,}/g, "[redacted]");
}

const mended = (call) => ({
  ...call,
  input: call.input ?? { path: /"path":"([^"]*)/.exec(call.raw)?.[1] ?? "x", content: "half" },
});
const read = (text) => {
  const body = JSON.parse(text);
  const answer = wire.read(body);
  if (PROVIDER === "anthropic-messages") for (const call of answer.calls) call.raw = rawInputOf(text, call);
  return answer;
};
/** Whole numbers that a double cannot hold are sent as the model wrote them. */
const rawInputOf = (text, call) =>
  /\d{17,}/.test(text) ? (/"input":(\{[^{}]*\})/.exec(text)?.[1] ?? call.raw) : call.raw;
function exact() {
  if (PROVIDER !== "anthropic-messages") return [];
  return history.flatMap(({ assistant }) =>
    (assistant?.calls ?? [])
      .filter(({ input, raw }) => input && /\d{17,}/.test(raw))
      .map(({ input, raw }) => [JSON.stringify(input), raw]),
  );
}

function eventsOf(text) {
  return text.split("\n\n").flatMap((block) => {
    const data = block
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => line.slice(6))
      .join("\n");
    if (data === "" || data === "[DONE]") return [];
    try {
      return [{ data: JSON.parse(data) }];
    } catch {
      return [];
    }
  });
}

async function execute({ name, input }, calls = 1) {
  const tool = tools.find((one) => one.name === name);
  if (!tool) {
    if (is("dies-of-unknown") || (is("dies-of-unknown-alone") && calls === 1)) process.exit(0);
    return { output: `unknown tool ${name}; there are ${tools.map((one) => one.name).join(", ")}`, isError: true };
  }
  if (input === null) return { output: "the arguments are not a JSON object", isError: true };
  const wrong = tool.schema.required.find((key) => typeof input[key] !== "string");
  const isMissing = wrong !== undefined && input[wrong] === undefined;
  const isLenient = is("no-validation") || is(isMissing ? "runs-with-missing" : "runs-with-wrong");
  if (wrong !== undefined && !isLenient) return { output: `error: ${wrong} is missing or not a string`, isError: true };
  try {
    if (name === "read_file") return { output: readFileSync(input.path, "utf8") };
    if (name === "write_file") {
      writeFileSync(input.path ?? "probe-mark-1", String(input.content ?? "probe"));
      return { output: "written" };
    }
    const times = is("executes-twice") ? 2 : 1;
    let output = "";
    for (let at = 0; at < times; at++) output = await shell(input.command);
    return {
      output:
        is("sends-lone-surrogate") || (is("breaks-bad-letters") && output.includes("\ufffd"))
          ? `${output}\ud800`
          : output.slice(0, is("no-cut") ? undefined : 100_000),
    };
  } catch (error) {
    if (is("throws-away")) process.exit(0);
    return { output: `error: ${error.message}`, isError: true };
  }
}

/** A signal ends the program while a command runs, so the command is another process. */
function shell(command) {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "ignore"] });
    phase = "tool";
    if (is("leaves-command")) return void child.once("spawn", () => process.exit(0));
    const pieces = [];
    child.stdout.on("data", (piece) => pieces.push(piece));
    child.on("close", () =>
      resolve(
        Buffer.concat(pieces).toString(is("latin-output") ? "latin1" : "utf8") ||
          (is("empty-result") ? "" : "(no output)"),
      ),
    );
  });
}

const notExecuted = (calls, why) => calls.map(({ id }) => ({ id, output: `not executed: ${why}`, isError: true }));

/** Whether a fault loses the result of a call. */
function isLost(call, output, isError, count, results) {
  const { properties = call.input } = tools.find(({ name }) => name === call.name)?.schema ?? {};
  if (is("dies-of-failure") && isError && count === 1 && call.name === "read_file") process.exit(0);
  if (is("loses-beside-failure") && count === 2 && results.at(-1)?.output.includes("ENOENT")) return true;
  if (is("ignores-extra-argument")) return Object.keys(call.input ?? {}).some((key) => !(key in properties));
  if (is("loses-binary")) return output.includes("\0");
  if (is("loses-huge")) return output.length >= 100_000;
  return is("loses-empty") && output === "(no output)";
}

async function turn() {
  const executed = new Set();
  for (let requests = 0; requests < 20; requests++) {
    const answer = await ask();
    let { calls } = answer;
    const taken = new Set(history.flatMap(({ assistant }) => (assistant?.calls ?? []).map(({ id }) => id)));
    if (!is("keeps-ids"))
      calls = calls.map((call, at) => {
        const isRepeated = !is("keeps-repeated-ids") && calls.findIndex(({ id }) => id === call.id) < at;
        const isTaken = (!is("keeps-later-ids") && taken.has(call.id)) || isRepeated;
        return isTaken ? { ...call, id: `${call.id}_${requests}_${at}` } : call;
      });
    if (is("drops-second")) calls = calls.slice(0, 1);
    if (is("executes-cut-arguments") && answer.stop === "limit" && calls.some(({ input }) => !input)) {
      calls = calls.map(mended);
      answer.stop = "calls";
    }
    if (is("executes-limit") && answer.stop === "limit" && calls.length > 0) answer.stop = "calls";
    if (is("executes-window") && answer.stop === "window") answer.stop = "calls";
    if (is("answers-no-calls") && answer.stop === "calls" && calls.length === 0) {
      history.push({ assistant: { ...answer, calls } }, { results: [] });
      continue;
    }
    if (answer.stop === "pause") {
      if (is("ends-paused")) return answer.text;
      history.push({ assistant: { ...answer, calls } });
      continue;
    }
    if (answer.text === "" && calls.length === 0) {
      if (is("repeats-empty") && requests === 0) continue;
      if (is("keeps-empty-message")) history.push({ assistant: { text: "", calls: [] } });
      return "";
    }
    history.push({ assistant: { text: answer.text, thinking: answer.thinking, calls } });
    if (answer.stop === "refused" && !is("executes-refused")) {
      if (calls.length > 0) history.push({ results: notExecuted(calls, "the answer was refused") });
      save();
      if (is("asks-after-refusal")) {
        history.push({ user: "Please try." });
        continue;
      }
      return fail("the model refused");
    }
    if (["limit", "window"].includes(answer.stop) && !is("executes-cut")) {
      if (calls.length === 0 && is("takes-half-a-text")) return answer.text;
      if (calls.length === 0) return fail("the answer was cut off by the token limit");
      history.push({ results: notExecuted(calls, "the answer was cut off by the token limit") });
      continue;
    }
    if (["stopped", "other"].includes(answer.stop) && calls.length > 0 && !is(`executes-${answer.stop}`)) {
      history.push({ results: notExecuted(calls, `the answer ended with ${answer.stop}`) });
      return fail("the answer ended for another reason");
    }
    if (calls.length === 0) return answer.text;
    const results = [];
    history.push({ results });
    const isUnknown = ({ name }) => !tools.some((tool) => tool.name === name);
    if (is("unknown-ends-batch") && calls.length > 1 && calls.some(isUnknown)) {
      results.push(...notExecuted(calls, "one of the tools does not exist"));
      continue;
    }
    for (const call of calls) {
      // What is interrupted here is found as an error when the conversation goes on.
      const leavesOpen = is("leaves-open") || is("leaves-open-when-killed");
      if (!leavesOpen) results.push({ id: call.id, output: "interrupted while it ran", isError: true });
      save();
      if (is("ignores-unknown") && isUnknown(call)) {
        results.pop();
        continue;
      }
      const { output, isError } = await execute(call, calls.length);
      if (!leavesOpen) results.pop();
      executed.add(call.id);
      ran.push(call);
      if (isLost(call, output, isError, calls.length, results)) continue;
      results.push({ id: call.id, output, isError });
      if (isError && is("first-failure-ends-batch")) break;
    }
    for (const { id } of calls)
      if (!executed.has(id) && is("first-failure-ends-batch"))
        results.push({ id, output: "error: skipped", isError: true });
    if (is("talks-between-results") && results.length > 2)
      history.push({ user: "There is more:" }, { results: results.splice(2) });
    save();
    if (is("stays-after-results")) await new Promise(() => setInterval(() => {}, 1000));
    if (is("rewrites-history") && requests > 2) history[2].results[0].output = `shortened (${requests})`;
    if (is("forgets-text")) history.at(-2).assistant.text = "";
  }
  return fail("the limit of 20 requests was reached");
}

/** What an interrupt left open is answered before anything follows. */
function closeOpenCalls() {
  if (!is("leaves-open") && !is("leaves-open-when-killed")) answerOpenCalls();
}

function answerOpenCalls() {
  const last = history.at(-1);
  const before = history.at(-2);
  if (last?.assistant?.calls?.length > 0) history.push({ results: notExecuted(last.assistant.calls, "interrupted") });
  if (last?.results && before?.assistant) {
    const answered = new Set(last.results.map(({ id }) => id));
    last.results.push(
      ...notExecuted(
        before.assistant.calls.filter(({ id }) => !answered.has(id)),
        "interrupted",
      ),
    );
  }
}

closeOpenCalls();
if (is("keeps-one-turn") && history.filter(({ user }) => user).length > 1)
  history.splice(
    0,
    history.findLastIndex(({ user }) => user),
  );
if (is("lists-models")) await fetch(`${process.env.OPENAI_BASE_URL}/models`);
const prompt = process.argv
  .filter((word) => !word.startsWith("--"))
  .slice(2)
  .join(" ");
if (history.at(-1)?.user !== undefined) history.at(-1).user += `\n\n${prompt}`;
else history.push({ user: prompt });
if (!is("saves-late")) save();
const text = await turn();
if (is("forgets-text-beside-calls"))
  for (const { assistant } of history) if (assistant?.calls.length > 0) assistant.text = "";
if (is("runs-again-at-the-end") && failures === 0 && !process.argv.includes("--continue"))
  for (const call of ran) await execute(call);
history.push({ assistant: { text: text || "(nothing)", calls: [] } });
if (history.at(-2)?.assistant) history.pop();
save();
if (is("leaves-process")) spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).unref();
console.log(text === "" ? "The model gave no answer." : text);
void execFileSync;
