// Plays one scene with a framework, without the kit and without a driver, and says what happened in one line. A script of a peer
// exits 1 if the bug is there, 0 if it is not, and 2 if the scene could not be played.

import { serveModel } from "./model-server.mjs";

/** Plays a scene, says in one line what happened, and exits. @see happens */
export async function play(agentOf, scene) {
  console.warn = console.info = console.debug = console.error = () => {};
  process.on("unhandledRejection", () => {}); // some frameworks reject a promise that nobody holds
  const { bug, executed, endings } = await happens(agentOf, scene).catch((error) => {
    process.stderr.write(`the scene could not be played: ${error.stack}\n`);
    process.exit(2);
  });
  console.log(bug ?? `not seen: executed ${JSON.stringify(executed)}, ended ${JSON.stringify(endings)}`);
  process.exit(bug ? 1 : 0);
}

/**
 * @param {Function} agentOf makes an agent of the framework, as its documentation says: `agentOf({ api, stream, url, tools, limit })`,
 *   with tools `[{ name, description, schema, run(input) }]`, gives `say(input, signal)`, which resolves to `{ text, stop }`, or rejects
 * @param {object} scene `{ api, stream, answers, tools, limit, says, cancelAfter, bug }`; bug gets what happened, and returns a sentence if
 *   it is the bug
 * @returns what happened: the requests, what was executed, how the runs ended, and the sentence of the bug if it is there
 */
export async function happens(
  agentOf,
  { api, stream = false, answers, tools = {}, limit, says = ["Hello."], cancelAfter, bug },
) {
  const { url, requests } = await serveModel(api, stream, answers);
  const cancel = new AbortController();
  const executed = [];
  const named = Object.entries(tools).map(([name, { schema = {}, description = name, run = () => "done" }]) => ({
    name,
    description,
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
  const seen = { requests, executed, endings };
  return { ...seen, bug: bug(seen) || undefined };
}

async function ending(saying) {
  try {
    return { ...(await saying) };
  } catch (error) {
    return { error: `${error?.name}: ${error?.message}`.slice(0, 300) };
  }
}

/** The calls, and the results, of a request: their ids in order. A custom call of OpenAI has a result of a type of its own. */
export function pairs(body) {
  const items = (body.messages ?? body.input ?? body.contents ?? []).flatMap((message) =>
    Array.isArray(message.content) && message.role !== "tool"
      ? [message, ...message.content]
      : [message, ...(message.parts ?? [])],
  );
  return { calls: items.flatMap(callsIn), results: items.flatMap(resultsIn) };
}

function callsIn({ type, id, call_id, tool_calls, functionCall }) {
  if (functionCall) return [functionCall.id];
  if (tool_calls) return tool_calls.map((call) => call.id);
  if (type === "tool_use") return [id];
  return { function_call: [call_id], custom_tool_call: [`${call_id} (custom)`] }[type] ?? [];
}

function resultsIn({ type, role, call_id, tool_call_id, tool_use_id, functionResponse }) {
  if (functionResponse) return [functionResponse.id];
  if (role === "tool") return [tool_call_id];
  if (type === "tool_result") return [tool_use_id];
  return { function_call_output: [call_id], custom_tool_call_output: [`${call_id} (custom)`] }[type] ?? [];
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
