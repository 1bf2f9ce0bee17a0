// OpenAI's Responses API as it is measured: what it says and is told, by hand, through its SDK and through the adapter.

import { OpenAI } from "openai";
import { openaiResponses } from "../../providers/openai-responses/index.ts";
import { openai } from "./openai/send.ts";
import { bearer, client, inOneObject, named, pieces, streaming, usage } from "../wire-parts.ts";
import type { Answer, Call, Fields, Hand, MeasuredWire, StreamedText, WireFormat } from "../measured-wire.ts";
import { MAX_TOKENS, MODEL, readTool, SYSTEM, TASK } from "../turn-script.ts";
import type { ReadInput } from "../turn-script.ts";

const { name } = readTool;

interface Item {
  type: string;
  call_id: string;
  arguments: string;
  content: { text: string }[];
  [field: string]: unknown;
}

function fromResponses(output: Item[]): Answer {
  const calls = output.flatMap((item) =>
    item.type === "function_call" ? [{ id: item.call_id, input: JSON.parse(item.arguments) as ReadInput }] : [],
  );
  const texts = output.flatMap(({ type, content }) => (type === "message" ? content.map(({ text }) => text) : []));
  return { text: texts.join(""), calls, messages: output };
}

const hand: Hand = {
  path: () => "/responses",
  headers: bearer,
  list: "input",
  body(transport) {
    const { name, description, input_schema } = readTool;
    return {
      model: MODEL,
      instructions: SYSTEM,
      tools: [{ type: "function", name, description, parameters: input_schema, strict: false }],
      max_output_tokens: MAX_TOKENS,
      store: false,
      include: ["reasoning.encrypted_content"],
      ...streaming(transport),
    };
  },
  first: [{ role: "user", content: TASK }],
  read: ({ output }) => fromResponses(output as Item[]),
  collect() {
    const items: Item[] = [];
    let text = "";
    return {
      push({ type, item, delta }) {
        if (type === "response.output_text.delta") text += delta as string;
        if (type === "response.output_item.done") items.push(item as Item);
      },
      answer() {
        const answer = fromResponses(items);
        if (answer.text !== text) throw new Error("the pieces of the text are not the text");
        return answer;
      },
    };
  },
  results: (results) => results.map(({ id, output }) => ({ type: "function_call_output", call_id: id, output })),
};

const answers: WireFormat = {
  json: (text, calls) => responsesObject("completed", itemsOf(text, calls)),
  sse(text, calls) {
    let sequence_number = 0;
    const event = (data: Fields) => named({ ...data, sequence_number: sequence_number++ });
    const items = itemsOf(text, calls);
    const grown = items.map((item, output_index) => {
      const place = { item_id: item.id, output_index };
      const isText = item.type === "message";
      const begun = { ...item, status: "in_progress", ...(isText ? { content: [] } : { arguments: "" }) };
      const deltas = pieces(isText ? text : String(item.arguments));
      return [
        event({ type: "response.output_item.added", output_index, item: begun }),
        ...deltas.map((delta) =>
          isText
            ? event({ type: "response.output_text.delta", ...place, content_index: 0, delta, logprobs: [] })
            : event({ type: "response.function_call_arguments.delta", ...place, delta }),
        ),
        event({ type: "response.output_item.done", output_index, item }),
      ].join("");
    });
    return [
      event({ type: "response.created", response: responsesObject("in_progress", []) }),
      ...grown,
      event({ type: "response.completed", response: responsesObject("completed", items) }),
    ].join("");
  },
  read: ({ input }) =>
    (input as Fields[]).map(({ type, role, content, call_id, ...item }) => {
      if (type === "function_call") return `call ${String(call_id)} ${inOneObject(String(item.arguments))}`;
      if (type === "function_call_output") return `result ${String(call_id)} ${String(item.output)}`;
      const text = typeof content === "string" ? content : (content as Fields[]).map((part) => part.text).join("");
      return `${role === "user" ? "user" : "text"} ${text}`;
    }),
};

function itemsOf(text: string, calls: Call[]): Fields[] {
  const id = (kind: string, of: string) => `${kind}_${of}`;
  return [
    {
      type: "message",
      id: id("msg", calls[0]?.id ?? "last"),
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
    },
    ...calls.map((call) => ({
      type: "function_call",
      id: id("fc", call.id),
      call_id: call.id,
      name,
      arguments: call.arguments,
      status: "completed",
    })),
  ];
}

function responsesObject(status: string, output: Fields[]): Fields {
  return {
    id: "resp_0123456789",
    object: "response",
    created_at: 1_700_000_000,
    model: MODEL,
    status,
    error: null,
    incomplete_details: null,
    output,
    ...(status === "completed" && { usage: { ...usage, total_tokens: 1100 } }),
  };
}

const response = { id: "resp_1", object: "response", created_at: 1, model: "m", status: "completed" };
const message = { id: "msg_1", type: "message", role: "assistant", status: "in_progress" };
const place = { item_id: "msg_1", output_index: 0, content_index: 0 };

const stream: StreamedText = {
  before:
    named({
      type: "response.created",
      sequence_number: 0,
      response: { ...response, status: "in_progress", output: [] },
    }) +
    named({ type: "response.output_item.added", output_index: 0, item: { ...message, content: [] } }) +
    named({
      type: "response.content_part.added",
      ...place,
      part: { type: "output_text", text: "", annotations: [] },
    }),
  delta: (delta) => named({ type: "response.output_text.delta", ...place, sequence_number: 9, delta, logprobs: [] }),
  // The text that a real stream repeats here is left out: it would be made before it is read, and counted as memory.
  after: named({ type: "response.completed", sequence_number: 99, response: { ...response, output: [] } }),
  provider: (fetch) => openaiResponses({ model: "m", client: new OpenAI({ ...client, fetch }) }),
  async sdk(fetch) {
    const { responses } = new OpenAI({ ...client, fetch });
    let length = 0;
    for await (const event of await responses.create({ model: "m", input: "", stream: true })) {
      if (event.type === "response.output_text.delta") length += event.delta.length;
    }
    return length;
  },
  textOf: (data) => {
    const { type, delta } = data as { type: string; delta?: string };
    return type === "response.output_text.delta" ? delta : undefined;
  },
};

export const wire: MeasuredWire = {
  hand,
  answers,
  stream,
  adapter: ({ url, ...rest }) => openaiResponses({ ...rest, api_key: "none", base_url: url }),
  create(url) {
    const { responses } = new OpenAI({ ...client, baseURL: url });
    return (body) => responses.create(body as never);
  },
  send: openai,
};
