// Finds what is wrong with what the model answers in a case.

import type { Case, ModelEntry } from "../../../../schemas/types.ts";
import type { CaseProblem, KnownNames } from "./problem.ts";
import { list } from "./expectations.ts";
import { toolsOf } from "../case-agents.ts";
import { codecs } from "../../wire/codecs.ts";
import { isStreamed } from "../../wire/transport.ts";

/** Words that do not stand beside each other, and answers that no variant could give. */
export function checkScript(source: Case, names: KnownNames): CaseProblem[] {
  const found: CaseProblem[] = [];
  const genericOnly = source.variants?.seams?.includes("wire") === false;
  const subagents = new Set(toolsOf(source.given).flatMap(({ agent }) => agent ?? []));
  for (const [index, entry] of source.model.entries()) {
    const pointer = `/model/${index}`;
    if (entry.agent !== undefined && !subagents.has(entry.agent)) {
      const message = `no tool is the agent ${entry.agent} (${list(subagents)}), so that it is never asked for as a subagent`;
      found.push({ pointer: `${pointer}/agent`, message });
    }
    const speaks = entry.respond !== undefined || entry.text !== undefined;
    for (const key of ["stop_reason", "raw_stop_reason", "usage"] as const) {
      if (entry[key] !== undefined && !speaks)
        found.push({ pointer: `${pointer}/${key}`, message: `${key} is allowed only with respond or text` });
    }
    if (entry.raw_stop_reason !== undefined && entry.stop_reason !== "other") {
      found.push({
        pointer: `${pointer}/raw_stop_reason`,
        message:
          "raw_stop_reason is allowed only with stop_reason: other; the kit knows the provider's word for the others",
      });
    }
    if (entry.text === "")
      found.push({ pointer: `${pointer}/text`, message: "a model that says nothing is written respond: []" });
    found.push(...checkReset(entry, index === source.model.length - 1, pointer));
    found.push(...checkShortEvents(entry, source, `${pointer}/sse`));
    if (entry.summary) found.push(...checkSummary(entry, source, `${pointer}/summary`));
    if (((!speaks && entry.fault === undefined) || entry.reset !== undefined) && genericOnly) {
      found.push({
        pointer,
        message:
          "http, sse, writes, raw and reset run on the wire only, but variants.seams leaves only the generic seam",
      });
    }
    if (entry.raw !== undefined && !names.hasFixture(entry.raw)) {
      found.push({
        pointer: `${pointer}/raw`,
        message: `there is no fixture fixtures/${entry.raw.split("#")[0]}.json with that exchange`,
      });
    }
    for (const [at, part] of (entry.respond ?? entry.fault?.after ?? []).entries()) {
      const below = `${pointer}/${entry.respond ? "respond" : "fault/after"}/${at}`;
      if (part.thinking === undefined && (part.signature !== undefined || part.redacted !== undefined)) {
        found.push({ pointer: below, message: "signature and redacted are allowed only with thinking" });
      }
    }
  }
  found.push(...checkTransports(source));
  return found;
}

/** A case for all providers that names the stream of some leaves out those who stream otherwise. @see KIT-40 */
function checkTransports({ model, variants = {} }: Case): CaseProblem[] {
  const { transports = [], providers } = variants;
  if (providers !== undefined || model.some(({ sse, writes, raw }) => (sse ?? writes ?? raw) !== undefined)) return [];
  return transports.flatMap((name, at) => {
    const message = `${name} is how some providers stream; say streamed, or name them in variants.providers`;
    return name === "streamed" || !isStreamed(name) ? [] : [{ pointer: `/variants/transports/${at}`, message }];
  });
}

function checkSummary({ respond, text, fault }: ModelEntry, { given }: Case, pointer: string): CaseProblem[] {
  const problems = [
    respond === undefined && text === undefined && fault === undefined
      ? "summary is allowed only with respond, text or fault"
      : "",
    given.options?.compaction?.strategy === "summarize"
      ? ""
      : "no summary is asked for; say strategy: summarize in given.options.compaction",
  ];
  return problems.filter(Boolean).map((message) => ({ pointer, message }));
}

function checkShortEvents({ sse = [] }: ModelEntry, { variants }: Case, pointer: string): CaseProblem[] {
  return sse.flatMap((event, at) => {
    if (typeof event === "string") return [];
    const short = (["named", "delta"] as const).find((form) => form in event);
    if (short === undefined) return [];
    const spoken: readonly string[] = Object.values(codecs).flatMap(({ provider, traffic }) =>
      traffic.shortEvent === short ? [provider] : [],
    );
    const isSpoken = variants?.providers?.every((provider) => spoken.includes(provider)) ?? false;
    const message = `${short} is short for an event of ${spoken.join(" or ")}; name no other provider in variants.providers`;
    return isSpoken ? [] : [{ pointer: `${pointer}/${at}/${short}`, message }];
  });
}

function checkReset(entry: ModelEntry, isLast: boolean, pointer: string): CaseProblem[] {
  const { reset, repeat, http, sse, writes, fault, raw } = entry;
  const found: CaseProblem[] = [];
  const isExact = http !== undefined || sse !== undefined || writes !== undefined;
  if (reset !== undefined && (fault ?? raw) !== undefined)
    found.push({ pointer: `${pointer}/reset`, message: "reset is not allowed with fault or raw" });
  if (reset === "before_end" && isExact) {
    const message =
      "the kit does not know where http, sse and writes end; leave the end out, and write reset: mid_stream";
    found.push({ pointer: `${pointer}/reset`, message });
  }
  if (repeat && !isLast) found.push({ pointer: `${pointer}/repeat`, message: "only the last entry can be repeated" });
  const speaks = entry.respond !== undefined || entry.text !== undefined;
  if (repeat && speaks && reset === undefined)
    found.push({ pointer: `${pointer}/repeat`, message: "only a failure can be repeated; an answer ends the run" });
  return found;
}
