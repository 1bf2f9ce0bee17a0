// Serves the model of one variant to any client: each request gets the next answer of the script, without time limits.

import type { InitializeResult } from "../../../schemas/types.ts";
import { fillCase } from "../suite/fill-case.ts";
import { toolsOf } from "../suite/case-agents.ts";
import { ModelPlayer } from "./model.ts";
import { codecs } from "../wire/codecs.ts";
import { startProviderServer } from "../wire/provider-server.ts";
import type { ProviderServer } from "../wire/provider-server.ts";
import { readScript } from "../suite/script.ts";
import type { Selected } from "../suite/selection.ts";
import { RunContext } from "./run-context.ts";
import type { Variant } from "../suite/variant.ts";

/** What is served, and where it is logged. */
export interface ServeOptions {
  selected: Selected;
  seed: number;
  /** 0: any that is free. */
  port: number;
  /** Called with each line of the log. */
  log(line: string): void;
}

/** A variant that is being served. */
export interface ServedVariant {
  /** What the provider's official SDK takes. */
  baseUrl: string;
  /** The last thing that the user says before the run begins, if it is a text. */
  prompt?: string;
  /** The names of the tools that are declared to the model. */
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
export async function serveVariant({ selected, seed, port, log }: ServeOptions): Promise<ServedVariant> {
  const { entry, variant } = selected;
  if (variant.seam === "generic") throw new Error("nothing can be served on the generic seam");
  const filled = fillCase(entry.case, seed, entry.id);
  const script = readScript(filled.case, run, variant.transport);
  const server = await startProviderServer(port);
  let model: ModelPlayer | undefined;
  const begin = () => {
    model?.close();
    const context = new RunContext({
      run,
      filled,
      script,
      variant,
      driver: anyone(variant),
      connection: {
        request: async (method) => void log(`  the case says ${method}`),
        notify: (method) => log(`  the case says ${method}`),
      },
      sessionId: "any",
      apiKey: "any",
      codec: codecs[variant.seam],
      server: logging(server, {
        log: log,
        entries: script.length,
        repeats: entry.case.model.at(-1)?.repeat === true,
        begin,
      }),
    });
    context.broken.catch((error: Error) => log(`  the kit failed: ${error.stack}`));
    model = new ModelPlayer(context);
    return model.open();
  };
  const access = begin();
  if (access.seam === "generic") throw new Error("nothing can be served on the generic seam");
  const lastUserContent = filled.case.given.messages.findLast((message) => message.role === "user")?.content;
  return {
    baseUrl: access.base_url,
    ...(typeof lastUserContent === "string" && { prompt: lastUserContent }),
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

interface LogOptions {
  log(line: string): void;
  /** How many entries the script has. */
  entries: number;
  /** Whether its last entry answers every later request. */
  repeats: boolean;
  begin(): void;
}

/** The server, which logs each request and restarts the script after the last entry. */
function logging(server: ProviderServer, { log, entries, repeats, begin }: LogOptions): ProviderServer {
  let requests = 0;
  const beginAgain = () => {
    if (requests < entries || repeats) return;
    log("  the script begins again");
    begin();
  };
  return {
    ...server,
    open: (name, options) =>
      server.open(name, {
        ...options,
        onRequest(exchange, generic) {
          requests += 1;
          log(
            `${exchange.request.method} ${exchange.request.path}: entry ${Math.min(requests, entries)} of ${entries}`,
          );
          return options.onRequest(exchange, generic);
        },
        onBreach(breaches, exchange) {
          for (const { rule, message } of breaches)
            log(`${exchange.request.method} ${exchange.request.path}: ${rule}: ${message}`);
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
