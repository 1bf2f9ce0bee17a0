// Plays one scene with a framework, without the kit and without a driver, and says what happened in one line. A script of a peer
// exits 1 if the bug is there, 0 if it is not, and 2 if the scene could not be played.

import { serveModel } from "./model-server.mjs";

/**
 * @param {Function} agentOf makes an agent of the framework, as its documentation says: `agentOf({ api, stream, url, tools, limit })`,
 *   with tools `[{ name, schema, run(input, signal) }]`, gives `say(input, signal)`, which resolves to `{ text, stop }`, or rejects
 * @param {object} scene `{ api, stream, answers, tools, limit, says, cancelAfter, bug }`; bug gets what happened, and returns a sentence if
 *   it is the bug
 */
export async function play(
  agentOf,
  { api, stream = false, answers, tools = {}, limit, says = ["Hello."], cancelAfter, bug },
) {
  console.warn = console.info = console.debug = console.error = () => {};
  process.on("unhandledRejection", () => {}); // some frameworks reject a promise that nobody holds
  const { url, requests } = await serveModel(api, stream, answers);
  const cancel = new AbortController();
  const executed = [];
  const named = Object.entries(tools).map(([name, { schema = {}, run = () => "done" }]) => ({
    name,
    schema: { type: "object", properties: {}, ...schema },
    run: async (input) => {
      executed.push({ name, input });
      return await run(input, cancel);
    },
  }));
  const say = await agentOf({ api, stream, url, tools: named, limit });
  if (cancelAfter) setTimeout(() => cancel.abort(), cancelAfter);
  const endings = [];
  for (const [at, input] of says.entries())
    endings.push(await ending(say(input, at === 0 ? cancel.signal : new AbortController().signal)));
  const what = bug({ requests, executed, endings });
  console.log(what ?? `not seen: executed ${JSON.stringify(executed)}, ended ${JSON.stringify(endings)}`);
  process.exit(what ? 1 : 0);
}

async function ending(saying) {
  try {
    return { ...(await saying) };
  } catch (error) {
    return { error: `${error?.name}: ${error?.message}`.slice(0, 300) };
  }
}

/** The calls, and the results, of a request: their ids in order. */
export function pairs(body) {
  const items = (body.messages ?? body.input ?? []).flatMap((message) =>
    Array.isArray(message.content) && message.role !== "tool" ? [message, ...message.content] : [message],
  );
  const calls = items.flatMap((item) => {
    if (item.tool_calls) return item.tool_calls.map(({ id }) => id);
    return item.type === "tool_use" ? [item.id] : item.type === "function_call" ? [item.call_id] : [];
  });
  const results = items.flatMap((item) => {
    if (item.role === "tool") return [item.tool_call_id];
    return item.type === "tool_result"
      ? [item.tool_use_id]
      : item.type === "function_call_output"
        ? [item.call_id]
        : [];
  });
  return { calls, results };
}

/** What of a request a provider refuses, as far as calls and their results go; undefined if nothing. */
export function unpaired(body) {
  const { calls, results } = pairs(body);
  const open = calls.find((id) => !results.includes(id));
  if (open !== undefined) return `the call ${open} has no result`;
  const stray = results.find((id) => !calls.includes(id));
  if (stray !== undefined) return `the result ${stray} has no call`;
  const again = calls.find((id, at) => calls.indexOf(id) !== at);
  return again === undefined ? undefined : `two calls have the id ${JSON.stringify(again)}`;
}
