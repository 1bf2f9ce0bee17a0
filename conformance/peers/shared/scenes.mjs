// The scenes in which frameworks were seen to break a requirement: what the model answers, what the user says, and how the bug shows.
// Each takes where it is played, `{ api, stream }`, and more where it says so.

import { pairs, unpaired } from "./repro.mjs";

const path = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const call = (name, args = "{}", id = `call_${name}`) => ({ call: name, id, args });
const answer = (...blocks) => ({ blocks });
const fine = answer({ text: "Fine." });
const etc = '{"path":"/etc"}';

const executions = ({ executed }) => executed.map(({ name, input }) => `${name} ${JSON.stringify(input)}`).join(", ");
const isTold = ({ error, stop }) =>
  error !== undefined || /error|interrupted|length|max_tokens|filter|refusal|safety/i.test(String(stop));

/** A scene in which a tool must not be executed. */
function unasked(where, blocks, more, why) {
  const bug = (seen) => seen.executed.length > 0 && `EXECUTED ${executions(seen)}, ${why}`;
  const tools = { delete_files: { schema: where.schema ?? path }, note: {} };
  return { ...where, tools, answers: [{ blocks, ...more }, fine], bug: (seen) => bug(seen) || undefined };
}

/** `stop`: max_tokens, refusal or content_filter. */
export const callBeside = (where) =>
  unasked(where, [call("delete_files", etc)], { stop: where.stop }, `although the response ended with ${where.stop}`);
export const refusedCall = (where) =>
  unasked(
    where,
    [call("delete_files", etc)],
    { stop: "stop", refusal: "I will not." },
    "although the response refused",
  );
/** `schema`: of the tool, in place of one that requires a path. */
export const cutArguments = (where) =>
  unasked(
    where,
    [call("delete_files", '{"path": "/et')],
    { stop: where.stop },
    'but the model had written {"path": "/et',
  );
/** `args`: what the model writes in place of an object. */
export const noObject = (where) =>
  unasked(where, [call("delete_files", where.args)], {}, `but the model had written ${where.args}`);
export const lostCall = (where) =>
  unasked({ ...where, stream: true }, [call("delete_files", etc)], { lost: true }, "although the stream never ended");
export const brokenSchema = (where) =>
  unasked(where, [call("delete_files", '{"count": 1}')], {}, "although path is required by the schema");

/** Arguments that are a list go back as what the API takes only as an object. */
export const listGoesBack = (where) => ({
  ...where,
  tools: { delete_files: { schema: where.schema ?? path } },
  answers: [answer(call("delete_files", '["/etc"]')), fine],
  bug: ({ requests }) => {
    const blocks = (requests[1]?.messages ?? []).flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const { input } = blocks.find(({ type }) => type === "tool_use") ?? {};
    return Array.isArray(input) ? `${JSON.stringify(input)} went back as the input of a call` : undefined;
  },
});

/** Arguments that nobody can read: the model has to learn of it, or the caller. */
export const unreadableArguments = (where) => ({
  ...where,
  tools: { delete_files: { schema: path } },
  answers: [answer(call("delete_files", '{"path": "/et')), fine],
  bug: ({ requests, executed, endings: [ending] }) =>
    requests.length > 1 || executed.length > 0 || isTold(ending)
      ? undefined
      : `nothing was executed, the model was not asked again, and the caller learns: ${JSON.stringify(ending)}`,
});

/** A stream that breaks off in its text, reported as a whole answer, or glued to a second one. */
export const lostText = (where) => ({
  ...where,
  stream: true,
  answers: [{ blocks: [{ text: "Half a sen" }], lost: true }, fine],
  bug: ({ endings: [ending], requests }) =>
    isTold(ending)
      ? undefined
      : `${requests.length} request(s), reported as the answer: ${JSON.stringify(ending.text)}`,
});

/** A stream that breaks off inside the arguments of a call, reported as a whole answer. */
export const lostArguments = (where) => ({
  ...where,
  stream: true,
  tools: { delete_files: { schema: {} } },
  answers: [{ blocks: [call("delete_files", '{"path": "/et')], lost: true }, fine],
  bug: ({ endings: [ending], requests: { length } }) =>
    isTold(ending) ? undefined : `${length} request(s), reported as an answer: ${JSON.stringify(ending)}`,
});

/** A stream that breaks off in its text: the half is sent to the model as if it had been whole. */
export const halfTextGoesBack = (where) => ({
  ...lostText(where),
  bug: ({ requests, endings: [ending] }) =>
    JSON.stringify(requests[1] ?? "").includes("Half a sen")
      ? `the model is asked again with half of its text, and the answer is ${JSON.stringify(ending)}`
      : undefined,
});

/** A text that the token limit cut off, reported as a whole answer. */
export const cutText = (where) => ({
  ...where,
  answers: [{ blocks: [{ text: "Half a sen" }], stop: "max_tokens" }, fine],
  bug: ({ endings: [ending], requests }) =>
    isTold(ending) || requests.length > 1
      ? undefined
      : `reported as the answer, though max_tokens cut it off: ${JSON.stringify(ending)}`,
});

/** HTTP 200 with the body of an error. */
export const errorBody = (where) => {
  const text = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: "quota is wrong" } });
  return {
    ...where,
    answers: Array.from({ length: 9 }, () => ({ type: "application/json", text })),
    bug: ({ endings: [ending], requests }) => {
      const isSaid = JSON.stringify(ending).includes("quota is wrong");
      if (requests.length === 1 && isTold(ending) && (isSaid || !where.words)) return undefined;
      return `${requests.length} request(s), the caller learns: ${JSON.stringify(ending)}`;
    },
  };
};

/** An answer that was refused or filtered, reported as an answer like any other. */
export const refusedText = (where) => ({
  ...where,
  answers: [{ blocks: [{ text: "No." }], stop: where.stop, refusal: where.refusal }, fine],
  bug: ({ endings: [ending], requests: { length } }) =>
    isTold(ending) && length === 1
      ? undefined
      : `${length} request(s), reported as an answer: ${JSON.stringify(ending)}`,
});

/** After a tool the model has nothing to say; it must not be asked once more. */
export const emptyReply = (where) => ({
  ...where,
  tools: { note: {} },
  answers: [answer(call("note")), { blocks: [] }, { blocks: [] }, { blocks: [] }, { blocks: [] }, { blocks: [] }],
  bug: ({ requests: { length } }) => (length > 2 ? `asked ${length} times, though the model had ended` : undefined),
});

/** Two calls under one id: the next request is refused, or has only one of them. */
export const repeatedIds = (where) => ({
  ...where,
  tools: { count: {} },
  answers: [answer(call("count", '{"n":1}', "call_0")), answer(call("count", '{"n":2}', "call_0")), fine],
  bug: ({ requests, executed, endings }) => {
    if (executed.length < 2 || requests.length < 3) return `${executed.length} executed, ${JSON.stringify(endings)}`;
    const last = unpaired(requests[2]);
    if (last) return `both calls were executed, and then ${last}`;
    const { length } = pairs(requests[2]).calls;
    return length < 2 ? `both calls were executed, and the next request has ${length} of them` : undefined;
  },
});

/** A run that ends badly, and then the next message: the provider refuses it, or it cannot be said at all. */
function next(where, blocks, more) {
  return {
    ...where,
    tools: { delete_files: { schema: path }, note: {} },
    answers: [{ blocks, ...more }, fine, fine],
    says: ["Hello.", "Go on."],
    bug: ({ requests, endings, executed }) => {
      if (requests.length < 2) return `the next message was not sent: ${endings[1].error ?? JSON.stringify(endings)}`;
      const last = requests.at(-1);
      const refused = unpaired(last) ?? emptyOf(last) ?? thoughtAlone(last);
      if (refused)
        return `${executed.length} executed, and in the next message ${refused}: ${JSON.stringify(last.messages ?? last.input)}`;
      return undefined;
    },
  };
}
export const nextAfterCallBeside = (where) => next(where, [call("delete_files", etc)], { stop: where.stop });
export const nextAfterCutArguments = (where) =>
  next(where, [call("delete_files", '{"path": "/et')], { stop: where.stop });
export const nextAfterLostCall = (where) =>
  next({ ...where, stream: true }, [call("delete_files", etc)], { lost: true });
/** A stream that breaks off behind its thinking; some frameworks ask again by themselves. */
export const nextAfterLostThinking = (where) => ({
  ...next({ ...where, stream: true }, [{ thinking: "Hm.", signature: "c2lnbmVk" }], { lost: true }),
  bug: ({ requests }) => {
    const refused = requests.find(thoughtAlone);
    return refused && `${thoughtAlone(refused)}: ${JSON.stringify(refused.messages ?? refused.input)}`;
  },
});
export const nextAfterEmptyReply = (where) => next(where, [], {});
export const nextAfterThinking = (where) => next(where, [{ thinking: "Hm.", signature: "c2lnbmVk" }], {});

const emptyOf = ({ messages = [] }) => {
  const at = messages.findIndex(
    ({ role, content }) => role === "assistant" && Array.isArray(content) && content.length === 0,
  );
  return at < 0 ? undefined : `message ${at} is empty`;
};
const thoughtAlone = ({ messages = [], input = [] }) => {
  const isLast = (content) => Array.isArray(content) && content.at(-1)?.type === "thinking";
  if (messages.some(({ role, content }) => role === "assistant" && isLast(content))) return "thinking ends a message";
  const isLastOrUser = (item) => item === undefined || item.role === "user";
  const at = input.findIndex(({ type }, index) => type === "reasoning" && isLastOrUser(input[index + 1]));
  return at < 0 ? undefined : "reasoning stands without what followed it";
};

/** After a tool the model thinks, and says nothing. */
export const thoughtAfterATool = (where) => ({
  ...where,
  tools: { note: {} },
  answers: [answer(call("note")), answer({ thinking: "Hm.", signature: "c2lnbmVk" }), fine, fine],
  says: ["Hello.", "Go on."],
  bug: ({ requests, endings }) => {
    const refused = requests.find(thoughtAlone);
    return (
      refused &&
      `${thoughtAlone(refused)}: ${JSON.stringify(refused.input ?? refused.messages)}; ${JSON.stringify(endings)}`
    );
  },
});

/** A run that failed, or was cancelled, after a tool: its result is to be in the next message. */
export const forgotten = (where) => ({
  ...where,
  tools: { buy: { run: () => "bought for 100" } },
  answers: [
    answer(call("buy")),
    { status: 400, type: "application/json", text: '{"error":{"message":"no"}}' },
    fine,
    fine,
  ],
  says: ["Buy it.", "Go on."],
  bug: ({ requests, executed }) => {
    const last = JSON.stringify(requests.at(-1));
    if (executed.length === 1 && last.includes("bought for 100")) return undefined;
    return `executed ${executed.length} time(s), then the model failed; the next message: ${last.slice(0, 300)}`;
  },
});
export const forgottenWords = (where) => ({
  ...forgotten(where),
  bug: ({ requests }) =>
    JSON.stringify(requests.at(-1)).includes("Buy it.") ? undefined : "what the user had said is gone",
});
export const forgottenByCancel = (where) => ({
  ...where,
  tools: {
    buy: { run: () => "bought for 100" },
    wait: {
      run: async (_, cancel) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        cancel.abort();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return "late";
      },
    },
  },
  answers: [answer(call("buy"), call("wait")), fine, fine],
  says: ["Buy it.", "Go on."],
  bug: ({ requests, executed }) => {
    const last = JSON.stringify(requests.at(-1));
    return last.includes("bought for 100")
      ? undefined
      : `${executions({ executed })}; the next message: ${last.slice(0, 300)}`;
  },
});

/** A tool that nobody has, beside one that there is: the run must go on. */
export const unknownTool = (where) => ({
  ...where,
  tools: { note: {} },
  answers: [answer(call("note"), call("nobody")), fine],
  bug: ({ requests, executed, endings: [ending] }) =>
    requests.length === 2 && executed.length === 1
      ? undefined
      : `executed ${executed.length}, ${JSON.stringify(ending)}`,
});
/** A tool that nobody has, before one that there is: that one is executed, and each call has a result in the next request. */
export const unknownToolFirst = (where) => ({
  ...where,
  tools: { note: {} },
  answers: [answer(call("nobody"), call("note")), fine],
  bug: ({ requests, executed, endings: [ending] }) => {
    const open = requests[1] && unpaired(requests[1]);
    if (executed.length === 1 && !open) return undefined;
    return `the call beside it was executed ${executed.length} times, and in the next request ${open}: ${JSON.stringify(ending)}`;
  },
});
/** Of two streamed calls of Gemini only the first has a signature: both go back as they came. */
export const signatureOfAnother = (where) => ({
  ...where,
  stream: true,
  tools: { look: {}, note: {} },
  answers: [answer(call("look"), call("note")), fine],
  bug: ({ requests: [, body], endings: [ending] }) => {
    if (!body) return `the model was not asked again: ${JSON.stringify(ending)}`;
    const parts = body.contents.flatMap((content) => content.parts).filter(({ functionCall }) => functionCall);
    const sealed = parts.map(({ thoughtSignature }) => thoughtSignature !== undefined);
    return sealed.join() === "true,false" ? undefined : `the calls went back as ${JSON.stringify(parts)}`;
  },
});
/** Arguments that are nothing, of a tool without parameters. */
export const nothingAsArguments = (where) => ({
  ...where,
  tools: { note: {} },
  answers: [answer(call("note", where.args ?? "")), fine],
  bug: ({ executed, requests, endings: [ending] }) =>
    executed.length === 1
      ? undefined
      : `not executed; ${JSON.stringify(ending)} ${JSON.stringify((requests[1]?.messages ?? requests[1]?.input)?.at(-1))}`,
});
/** Half of a surrogate pair in what a tool says. */
export const halfALetter = (where) => ({
  ...where,
  tools: { note: { run: () => "cut \ud83d" } },
  answers: [answer(call("note")), fine],
  bug: ({ requests }) =>
    requests[1] && !JSON.stringify(requests[1]).isWellFormed() | /\\ud83d(?!\\ud)/i.test(JSON.stringify(requests[1]))
      ? `the request has half of a surrogate pair: ${JSON.stringify(requests[1]).slice(-200)}`
      : undefined,
});
/** The same in the description of a tool, one that was cut to a length for example. */
export const halfALetterInADescription = (where) => ({
  ...where,
  tools: { note: { description: "Takes notes \ud83d" } },
  answers: [fine],
  bug: ({ requests: [body] }) =>
    body && /\\ud83d(?!\\ud)/i.test(JSON.stringify(body.tools))
      ? `the request has half of a surrogate pair: ${JSON.stringify(body.tools)}`
      : undefined,
});
/** A number with more digits than a double has goes back as another one. */
export const largeInteger = (where) => ({
  ...where,
  tools: { pay: {} },
  answers: [answer(call("pay", '{"account":12345678901234567}')), fine],
  bug: ({ requests }) => {
    const back = /\\?"account\\?": ?(\d+)/.exec(JSON.stringify(requests[1]))?.[1];
    return back === "12345678901234567" ? undefined : `12345678901234567 went back as ${back}`;
  },
});
/** A call of a name that no provider takes goes back under it. */
export const illegalName = (where) => ({
  ...where,
  tools: { read: {} },
  answers: [answer(call(" read ", "{}", "call_1")), fine],
  bug: ({ requests }) =>
    /"name":" read "/.test(JSON.stringify(requests[1] ?? {})) ? 'the name " read " went back' : undefined,
});
/** A tool whose name no provider takes is declared under it. */
export const illegalTool = (where) => ({
  ...where,
  tools: { [where.name ?? "calendar.respond"]: {} },
  answers: [fine],
  bug: ({ requests: [body] }) => {
    const name = where.name ?? "calendar.respond";
    return JSON.stringify(body?.tools ?? "").includes(`"${name}"`)
      ? `declared ${name.slice(0, 40)} (${name.length} characters)`
      : undefined;
  },
});
/** A schema with definitions goes out without them, and what refers to them refers to nothing. */
export const lostDefinitions = (where) => ({
  ...where,
  tools: {
    look: {
      schema: { properties: { path: { $ref: "#/$defs/path" } }, $defs: { path: { type: "string" } } },
    },
  },
  answers: [fine],
  bug: ({ requests: [body] }) => {
    const declared = JSON.stringify(body?.tools ?? "");
    return declared.includes("$ref") && !declared.includes('"$defs"')
      ? `declared with a reference to nothing: ${declared}`
      : undefined;
  },
});
/** A cancel in a stream, after a call had come: it must not be executed with the next message. */
export const cancelledCall = (where) => ({
  ...where,
  stream: true,
  tools: { delete_files: { schema: path } },
  answers: [{ blocks: [call("delete_files", etc)], lost: true, held: true }, fine, fine],
  says: ["Delete it.", "No, wait."],
  cancelAfter: 1000,
  bug: (seen) => (seen.executed.length > 0 ? `EXECUTED ${executions(seen)} after the cancel` : undefined),
});
/** The limit of turns is reached, and then the user says the next thing. */
export const nextAfterLimit = (where) => ({
  ...where,
  tools: { note: {} },
  limit: 1,
  answers: [answer(call("note")), fine, fine],
  says: ["Hello.", "Go on."],
  bug: ({ requests, endings }) => {
    if (requests.length < 2) return `the next message was not sent: ${JSON.stringify(endings)}`;
    return unpaired(requests[1]);
  },
});
/** A cancel while tools run, and then the user says the next thing. */
export const nextAfterCancel = (where) => {
  const bug = ({ requests, endings }) =>
    requests.length < 2
      ? `the next message was not sent: ${JSON.stringify(endings)}`
      : unpaired(requests[1]) && `in the next message ${unpaired(requests[1])}`;
  return { ...forgottenByCancel(where), bug };
};
/** Thinking between calls keeps its place in the response. */
export const interleaved = (where) => ({
  ...where,
  tools: { look: {} },
  answers: [
    answer(
      { thinking: "One.", signature: "b25l" },
      call("look", "{}", "call_1"),
      { thinking: "Two.", signature: "dHdv" },
      call("look", "{}", "call_2"),
    ),
    fine,
  ],
  bug: ({ requests }) => {
    const turns = (requests[1]?.messages ?? []).filter(({ role }) => role === "assistant");
    const types = turns.map(({ content }) => content.map(({ type }) => type).join(", "));
    return types.join() === "thinking, tool_use, thinking, tool_use"
      ? undefined
      : `one response went back as ${types.length}: ${types.map((type) => `[${type}]`).join(" ")}`;
  },
});
/** A failed response of the Responses API, as an event. */
export const failedResponse = (where) => {
  const base = { id: "resp_1", object: "response", created_at: 1, model: "gpt-5", output: [], status: "in_progress" };
  const item = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] };
  const error = { code: "server_error", message: "the model broke" };
  const events = [
    { type: "response.created", response: base },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "Half of" },
    { type: "response.failed", response: { ...base, status: "failed", error } },
  ];
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return {
    ...where,
    stream: true,
    answers: [{ type: "text/event-stream", text }, fine],
    bug: ({ endings: [ending], requests: { length } }) =>
      isTold(ending) ? undefined : `${length} request(s), reported as an answer: ${JSON.stringify(ending)}`,
  };
};
/** A content block of a type that is new. */
export const newBlock = (where) => {
  const content = [
    { type: "text", text: "Fine." },
    { type: "brand_new_block", a: 1 },
  ];
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const text = JSON.stringify({ ...message, stop_reason: "end_turn", stop_sequence: null, usage });
  return {
    ...where,
    answers: [{ type: "application/json", text }],
    bug: ({ endings: [{ error }] }) => (error ? `a paid answer is lost: ${error}` : undefined),
  };
};
/** What a tool of the server did, in the middle of a streamed answer: it goes back in its place, as what it is. */
export const serverTool = (where) => {
  const called = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "hills" } };
  const hit = { type: "web_search_result", url: "https://example.com/", title: "Hills", encrypted_content: "c2VhbGVk" };
  const found = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ ...hit, page_age: null }] };
  const own = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
  const text = anthropicStream([{ type: "text", text: "I search." }, called, found, own], "tool_use");
  return {
    ...where,
    stream: true,
    tools: { look: {} },
    answers: [{ type: "text/event-stream", text }, fine],
    bug: ({ requests: [, body], endings: [ending] }) => {
      if (!body) return `the model was not asked again: ${JSON.stringify(ending)}`;
      const content = body.messages.filter(({ role }) => role === "assistant").flatMap((message) => message.content);
      const [, use = {}, result = {}] = content;
      const isAsItCame = use.type === called.type && use.input.query === "hills" && result.type === found.type;
      return isAsItCame ? undefined : `what the server's tool did went back as ${JSON.stringify(content)}`;
    },
  };
};

/** The events of an answer of Messages with these blocks. */
function anthropicStream(content, stop_reason) {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [] };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const events = [{ type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } }];
  for (const [index, block] of content.entries()) {
    const { input, text } = block;
    const content_block = { ...block, ...(input && { input: {} }), ...(text && { text: "" }) };
    const written = { type: "input_json_delta", partial_json: JSON.stringify(input) };
    events.push({ type: "content_block_start", index, content_block });
    if (text) events.push({ type: "content_block_delta", index, delta: { type: "text_delta", text } });
    if (input) events.push({ type: "content_block_delta", index, delta: written });
    events.push({ type: "content_block_stop", index });
  }
  events.push({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage }, { type: "message_stop" });
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** An empty text beside a call goes back, and is refused. */
export const emptyText = (where) => ({
  ...where,
  tools: { note: {} },
  answers: [answer({ text: "" }, call("note")), fine],
  bug: ({ requests }) =>
    /"text":""/.test(JSON.stringify(requests[1]?.messages)) ? "an empty text block went back" : undefined,
});
/** A call beside a stop reason that says that the model has ended; some servers say so of every response. */
export const forgottenCall = (where) => ({
  ...where,
  tools: { note: {} },
  answers: [{ blocks: [call("note")], stop: "end_turn" }, fine],
  bug: ({ executed, endings: [ending] }) =>
    executed.length === 0 ? `the call was not executed, and the caller learns: ${JSON.stringify(ending)}` : undefined,
});
/** Thinking without a signature, as servers give it that are not Anthropic's, goes back. */
export const unsignedThinking = (where) => ({
  ...where,
  tools: { note: {} },
  answers: [answer({ thinking: "Hm." }, call("note")), fine],
  bug: ({ requests }) => {
    const thought = requests[1]?.messages.flatMap(({ content }) => content).find(({ type }) => type === "thinking");
    return thought && !thought.signature
      ? `thinking went back without a signature: ${JSON.stringify(thought)}`
      : undefined;
  },
});
/**
 * Answers of a server as they stand, and what follows from them: how many requests there are, which calls the last one has, whether
 * the caller learns of a failure, and what the last request has to have.
 */
export const crafted = ({ api, stream, answers, tools, requests: wanted, calls, fails, has = [] }) => ({
  api,
  stream,
  answers,
  tools: Object.fromEntries(
    Object.entries(tools).map(([name, { outputs, schema }]) => [
      name,
      { schema, run: () => outputs.shift() ?? "done" },
    ]),
  ),
  bug: ({ requests, endings: [ending] }) => {
    const last = requests.at(-1);
    const sent = JSON.stringify(writtenCalls(last));
    if (requests.length !== wanted)
      return `${requests.length} request(s) in place of ${wanted}; ${JSON.stringify(ending)}`;
    if (sent !== JSON.stringify(calls)) return `the calls went back as ${sent}, and are ${JSON.stringify(calls)}`;
    if (unpaired(last)) return unpaired(last);
    const missing = has.find((text) => !JSON.stringify(last).includes(JSON.stringify(text).slice(1, -1)));
    if (missing !== undefined) return `${JSON.stringify(missing)} is not in the last request`;
    return isTold(ending) === fails
      ? undefined
      : `reported as ${fails ? "an answer" : "a failure"}: ${JSON.stringify(ending)}`;
  },
});

/** The calls of a request, each a name and its arguments. */
function writtenCalls({ messages = [], input = [] }) {
  const parts = messages.flatMap(({ content, tool_calls = [] }) => [
    ...(Array.isArray(content) ? content : []),
    ...tool_calls,
  ]);
  return [...parts, ...input].flatMap(({ type, name, input: given, arguments: args, function: called }) => {
    if (called) return [[called.name, read(called.arguments)]];
    if (type === "function_call") return [[name, read(args)]];
    return type === "tool_use" ? [[name, given]] : [];
  });
}

function read(args) {
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}
