// The command `convert`: a conversation from one format into another, with a report of what could not be carried over.

import { formats } from "../traffic/formats/conversation/conversation.ts";
import { formatOf, readFormat } from "../traffic/formats/conversation/read-format.ts";
import type { Source } from "../traffic/formats/conversation/read-format.ts";
import { writeFormat } from "../traffic/formats/conversation/write-format.ts";
import { readJson } from "../kit/base/read-json.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { writeWhole } from "./shared/write-file.ts";

/** The options of the command line. */
export interface ConvertOptions {
  to: string;
  from?: string;
  output?: string;
  model?: string;
}

/** Writes to stdout or a file, and what was lost to stderr. A loss is no failure: exit code 0. */
export async function convert(file: string, { to, from, output, model }: ConvertOptions): Promise<void> {
  const target = formats.find((format) => format === to);
  if (!target) throw new UsageError(`--to ${to} is not known; known: ${formats.join(", ")}`);
  const value = readJson(file);
  const source = sourceOf(file, value, from);
  const read = await readFormat(file, value, source);
  const conversation = model === undefined ? read.value : { ...read.value, model };
  const written = writeFormat(conversation, target);
  const text = `${JSON.stringify(written.value, null, 2)}\n`;
  if (output === undefined) process.stdout.write(text);
  else writeWhole(output, text);
  for (const loss of [...read.losses, ...written.losses]) console.error(`lost: ${loss}`);
  const isRequest = target !== "session" && target !== "atif";
  if (isRequest && model === undefined && source !== target && source !== "fixture")
    console.error(`the model is ${conversation.model ?? "not known"}; name one of ${target} with --model`);
}

function sourceOf(file: string, value: unknown, from: string | undefined): Source {
  const sources: readonly Source[] = [...formats, "fixture"];
  const source = from === undefined ? formatOf(value) : sources.find((format) => format === from);
  if (source) return source;
  if (from !== undefined) throw new UsageError(`--from ${from} is not known; known: ${sources.join(", ")}`);
  throw new UsageError(`${file}: its format cannot be detected; name it with --from with one of ${sources.join(", ")}`);
}
