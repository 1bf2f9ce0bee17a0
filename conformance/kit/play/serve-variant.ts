// Serves the model of one variant to any client: whoever asks is answered by the script, however long he takes.

import type { InitializeResult } from "../../../schemas/types.ts";
import { fillCase } from "../suite/fill-case.ts";
import { toolsOf } from "../suite/case-agents.ts";
import { ModelPlayer } from "./model.ts";
import { codecs } from "../wire/codecs.ts";
import { startReplayServer } from "../wire/provider-server.ts";
import type { ReplayServer } from "../wire/provider-server.ts";
import { readScript } from "../suite/script.ts";
import type { Selected } from "../suite/selection.ts";
import { Stage } from "./run-context.ts";
import type { Variant } from "../suite/variant.ts";

/** What is served, and who hears of it. */
export interface ServeOptions {
  selected: Selected;
  seed: number;
  /** 0: any that is free. */
  port: number;
  /** Hears what happens, a line at a time. */
  tell(line: string): void;
}

/** A variant that is being served. */
export interface ServedVariant {
  /** What the provider's official SDK takes. */
  baseUrl: string;
  /** The last thing that the user says before the run begins, if it is a text. */
  prompt?: string;
  /** The names of the tools that the model is told of. */
  tools: string[];
  /** The next request is answered by the first entry of the script again. */
  restart(): void;
  close(): Promise<void>;
}

/** As the first run of the kit is called, so that ids are the same as in its reports. */
const run = "r1";

/**
 * Serves a variant on 127.0.0.1 until it is closed. The requests are held against the provider's rules; what a client's tools do is
 * its own affair. After the last entry of the script it begins anew.
 * @throws if the port is taken, or the variant is generic, which no client can ask
 */
export async function serveVariant({ selected, seed, port, tell }: ServeOptions): Promise<ServedVariant> {
  const { entry, variant } = selected;
  if (variant.seam === "generic") throw new Error("nothing can be served on the generic seam");
  const filled = fillCase(entry.case, seed, entry.id);
  const script = readScript(filled.case, run, variant.transport);
  const server = await startReplayServer(port);
  let model: ModelPlayer | undefined;
  const begin = () => {
    model?.close();
    const stage = new Stage({
      run,
      filled,
      script,
      variant,
      driver: anyone(variant),
      connection: {
        request: async (method) => void tell(`  the case says ${method}`),
        notify: (method) => tell(`  the case says ${method}`),
      },
      sessionId: "any",
      apiKey: "any",
      codec: codecs[variant.seam],
      server: telling(server, {
        tell,
        entries: script.length,
        repeats: entry.case.model.at(-1)?.repeat === true,
        begin,
      }),
    });
    stage.broken.catch((error: Error) => tell(`  the kit failed: ${error.stack}`));
    model = new ModelPlayer(stage);
    return model.open();
  };
  const access = begin();
  if (access.seam === "generic") throw new Error("nothing can be served on the generic seam");
  const said = filled.case.given.messages.findLast((message) => message.role === "user")?.content;
  return {
    baseUrl: access.base_url,
    ...(typeof said === "string" && { prompt: said }),
    tools: toolsOf(filled.case.given).map(({ name }) => name),
    restart: () => void begin(),
    close: () => server.stop(),
  };
}

/** What the kit knows of a client of which it knows nothing. */
function anyone({ seam, ...others }: Exclude<Variant, { seam: "generic" }>): InitializeResult {
  const implementation = { name: "any client", version: "0", language: "any" };
  return { protocol: 1, implementation, seams: [seam], transports: [others.transport] };
}

interface Telling {
  tell(line: string): void;
  /** How many entries the script has. */
  entries: number;
  /** Whether its last entry answers every later request. */
  repeats: boolean;
  begin(): void;
}

/** The server, which tells of each request, and begins again after the last entry. */
function telling(server: ReplayServer, { tell, entries, repeats, begin }: Telling): ReplayServer {
  let asked = 0;
  const beginAgain = () => {
    if (asked < entries || repeats) return;
    tell("  the script begins again");
    begin();
  };
  return {
    ...server,
    open: (name, options) =>
      server.open(name, {
        ...options,
        onRequest(exchange, generic) {
          asked += 1;
          tell(`${exchange.request.method} ${exchange.request.path}: entry ${Math.min(asked, entries)} of ${entries}`);
          return options.onRequest(exchange, generic);
        },
        onBreach(breaches, exchange) {
          for (const { rule, message } of breaches)
            tell(`${exchange.request.method} ${exchange.request.path}: ${rule}: ${message}`);
          options.onBreach?.(breaches, exchange);
        },
        onAnswered: beginAgain,
        onDisconnect(exchange) {
          options.onDisconnect?.(exchange);
          beginAgain();
        },
      }),
  };
}
