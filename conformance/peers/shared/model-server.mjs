// A provider for the scripts of the peers: a small HTTP server that gives crafted answers, one after another, in the format of
// Anthropic Messages, Chat Completions, Gemini or Responses, as JSON or as a stream. It knows neither the kit nor any framework.

import http from "node:http";

/**
 * Starts it. An answer is `{ blocks, stop, lost }`, or `{ status, type, text }` as it goes out. Blocks are `{ text }`,
 * `{ thinking, signature }` and `{ call, id, args }` (args is text). `lost`: the connection ends before the answer does; with `held`
 * it stays open.
 */
export async function serveModel(api, stream, answers) {
  const requests = [];
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    const answer = answers[requests.length] ?? { status: 500, type: "text/plain", text: "there is no further answer" };
    requests.push(JSON.parse(body));
    const {
      status = 200,
      type,
      text,
    } = answer.text === undefined ? rendered(api, stream, answer, requests.length) : answer;
    response.writeHead(status, { "content-type": type });
    if (answer.held) response.write(text);
    else response.end(text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { url: `http://127.0.0.1:${server.address().port}`, requests };
}

function rendered(api, stream, answer, number) {
  const { json, events } = formats[api](answer, number);
  if (!stream) return { type: "application/json", text: JSON.stringify(json) };
  const line = (event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
  const text = events.map((event) => (event.type ? `event: ${event.type}\n` : "") + line(event)).join("");
  return { type: "text/event-stream", text };
}

const formats = { "anthropic-messages": anthropic, gemini, "openai-chat": chat, "openai-responses": responses };

function anthropic({ blocks, stop, lost }, number) {
  const wanted = blocks.some(({ call }) => call) ? "tool_use" : "end_turn";
  const stop_reason = { content_filter: "refusal" }[stop] ?? stop ?? wanted;
  const start = { text: { type: "text", text: "" }, thinking: { type: "thinking", thinking: "", signature: "" } };
  const open = ({ call, id, thinking }) =>
    call ? { type: "tool_use", id, name: call, input: {} } : thinking === undefined ? start.text : start.thinking;
  const deltas = ({ text, thinking, signature, args }) =>
    text !== undefined
      ? [{ type: "text_delta", text }]
      : thinking === undefined
        ? [{ type: "input_json_delta", partial_json: args }]
        : [
            { type: "thinking_delta", thinking },
            { type: "signature_delta", signature },
          ];
  const content = blocks.map((block) => {
    if (block.call) return { ...open(block), input: parsed(block.args) };
    return block.thinking === undefined ? { type: "text", text: block.text } : { type: "thinking", ...block };
  });
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content,
    usage,
  };
  const json = { ...message, stop_reason, stop_sequence: null };
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
  ];
  for (const [index, block] of blocks.entries()) {
    events.push({ type: "content_block_start", index, content_block: open(block) });
    for (const delta of deltas(block)) events.push({ type: "content_block_delta", index, delta });
    if (!(lost && !block.call && index === blocks.length - 1)) events.push({ type: "content_block_stop", index });
  }
  if (!lost)
    events.push(
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    );
  return { json, events };
}

function chat({ blocks, stop, lost, refusal }, number) {
  const calls = blocks
    .filter(({ call }) => call)
    .map(({ call: name, id, args }) => ({ id, type: "function", function: { name, arguments: args } }));
  const content = blocks.map(({ text = "" }) => text).join("") || null;
  const wanted = calls.length > 0 ? "tool_calls" : "stop";
  const finish_reason = { max_tokens: "length", tool_use: "tool_calls", end_turn: "stop" }[stop] ?? stop ?? wanted;
  const base = { id: `chatcmpl-${number}`, created: 1, model: "gpt-4.1" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const message = {
    role: "assistant",
    content,
    refusal: refusal ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const json = { ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage };
  const chunk = (delta, end = null) => ({
    ...base,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: end }],
  });
  const events = [chunk({ role: "assistant", content: content ?? "", ...(refusal && { refusal }) })];
  for (const [index, call] of calls.entries()) events.push(chunk({ tool_calls: [{ index, ...call }] }));
  if (!lost)
    events.push(chunk({}, finish_reason), { ...base, object: "chat.completion.chunk", choices: [], usage }, "[DONE]");
  return { json, events };
}

/** Only the first call of a response has a signature, and a stream ends with an empty text. */
function gemini({ blocks, stop, lost }, number) {
  const first = blocks.findIndex(({ call }) => call);
  const parts = blocks.map(({ text, call, id, args, thinking, signature }, at) => {
    if (text !== undefined) return { text };
    if (call === undefined) return { text: thinking, thought: true, thoughtSignature: signature };
    const seal = at === first && { thoughtSignature: Buffer.from(`seal ${number}`).toString("base64") };
    return { functionCall: { id, name: call, args: parsed(args) }, ...seal };
  });
  const finishReason = { max_tokens: "MAX_TOKENS", refusal: "SAFETY", content_filter: "SAFETY" }[stop] ?? "STOP";
  const body = (some, more) => ({ candidates: [{ index: 0, content: { role: "model", parts: some }, ...more }] });
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const last = { ...body([{ text: "" }], { finishReason }), usageMetadata };
  const events = [...parts.map((part) => body([part])), ...(lost ? [] : [last])];
  return { json: { ...body(parts, { finishReason }), usageMetadata }, events };
}

function responses({ blocks, stop, lost, refusal }, number) {
  const output = blocks.map(({ text, call, id, args, thinking }, at) => {
    if (call)
      return {
        type: "function_call",
        id: `fc_${number}_${at}`,
        call_id: id,
        name: call,
        arguments: args,
        status: "completed",
      };
    if (thinking !== undefined)
      return {
        type: "reasoning",
        id: `rs_${number}_${at}`,
        summary: [{ type: "summary_text", text: thinking }],
        encrypted_content: "c2VhbGVk",
      };
    const part = refusal ? { type: "refusal", refusal } : { type: "output_text", text, annotations: [] };
    return { type: "message", id: `msg_${number}_${at}`, role: "assistant", status: "completed", content: [part] };
  });
  const reason = { max_tokens: "max_output_tokens", content_filter: "content_filter" }[stop];
  const base = {
    id: `resp_${number}`,
    object: "response",
    created_at: 1,
    model: "gpt-5",
    error: null,
    parallel_tool_calls: true,
  };
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    total_tokens: 2,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const end = {
    ...base,
    output,
    usage,
    status: reason ? "incomplete" : "completed",
    incomplete_details: reason ? { reason } : null,
  };
  const events = [{ type: "response.created", response: { ...base, output: [], status: "in_progress" } }];
  for (const [output_index, item] of output.entries()) {
    const { id: item_id } = item;
    if (item.type === "function_call") {
      events.push({
        type: "response.output_item.added",
        output_index,
        item: { ...item, arguments: "", status: "in_progress" },
      });
      events.push({ type: "response.function_call_arguments.delta", item_id, output_index, delta: item.arguments });
    } else if (item.type === "message") {
      events.push({
        type: "response.output_item.added",
        output_index,
        item: { ...item, content: [], status: "in_progress" },
      });
      events.push({
        type: "response.content_part.added",
        item_id,
        output_index,
        content_index: 0,
        part: { ...item.content[0], text: "" },
      });
      events.push({
        type: "response.output_text.delta",
        item_id,
        output_index,
        content_index: 0,
        delta: item.content[0].text ?? "",
      });
    } else events.push({ type: "response.output_item.added", output_index, item });
    if (!(lost && item.type === "message")) events.push({ type: "response.output_item.done", output_index, item });
  }
  if (!lost) events.push({ type: reason ? "response.incomplete" : "response.completed", response: end });
  return { json: end, events: events.map((event, sequence_number) => ({ ...event, sequence_number })) };
}

function parsed(args) {
  try {
    return JSON.parse(args);
  } catch {
    return {};
  }
}
