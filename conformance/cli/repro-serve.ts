// `repro --serve`: serves one variant to any client.

import { once } from "node:events";
import { serveVariant } from "../kit/play/serve-variant.ts";
import type { ServedVariant } from "../kit/play/serve-variant.ts";
import { isExpressible } from "../kit/suite/expressible.ts";
import { fillCase } from "../kit/suite/fill-case.ts";
import { isStreamedVariant } from "../kit/suite/variant.ts";
import type { Selected } from "../kit/suite/selection.ts";
import { codecs } from "../kit/wire/codecs.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/**
 * Serves a variant until SIGINT or SIGTERM; each line of the input begins its script again.
 * @throws UsageError if it has no HTTP, or the port is taken
 */
export async function serveUntilStopped(selected: Selected, seed: number, port: number): Promise<void> {
  const { entry, variant } = selected;
  if (variant.seam === "generic")
    throw new UsageError("the generic seam has no HTTP; serve a variant such as openai-chat/sse");
  const possible = isExpressible(fillCase(entry.case, seed, entry.id), variant, codecs[variant.seam]);
  if (possible !== true) throw new UsageError(`${entry.id} cannot be said on ${variant.name}: ${possible}`);
  const served = await start(selected, seed, port);
  for (const line of whatToDo(selected, seed, served)) console.log(line);
  process.stdin.on("data", () => {
    served.restart();
    console.log("the script begins again");
  });
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  process.stdin.pause();
  await served.close();
  console.log(`${entry.id} is no longer served`);
}

async function start(selected: Selected, seed: number, port: number): Promise<ServedVariant> {
  try {
    return await serveVariant({ selected, seed, port, log: (line) => console.log(line) });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EADDRINUSE") throw thrown;
    throw new UsageError(`port ${port} is taken; choose another, or 0 for any free one`);
  }
}

function* whatToDo(
  { entry, variant }: Selected,
  seed: number,
  { baseUrl, prompt, tools }: ServedVariant,
): Generator<string> {
  yield `${entry.id} ${variant.name}, seed ${seed}: ${entry.case.title}`;
  yield `  base URL  ${baseUrl}`;
  yield `  model     replay, with any API key, ${isStreamedVariant(variant) ? "streamed" : "not streamed"}`;
  if (tools.length > 0) yield `  tools     ${tools.join(", ")}`;
  if (prompt !== undefined) yield `  say       ${prompt}`;
  yield "Each request is answered by the next entry of the script, however long you take. Enter begins again, Ctrl-C ends.";
}
