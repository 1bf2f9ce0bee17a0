// A copy of the project with one more provider, and no line of it changed by hand: what proves that a provider is two folders.

import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./schema-files.ts";

/**
 * The provider that is added. Its format is that of another one, under its own name, at its own host and path. It streams in frames of
 * bytes, so that nothing may take a stream for server-sent events.
 */
export const toy = "toy";
const model = "openai-chat";

/** What of the model is named in its folders, and what the toy has for it. */
const renamed: readonly [RegExp, string][] = [
  [/openai-chat/g, toy],
  [/(?<![\w/])openaiChat(?!\w)/g, toy],
  [/chat\/completions/g, "toy/completions"],
  [/chat\\\/completions/g, String.raw`toy\/completions`],
  [/chapter: "CHAT"/g, 'chapter: "TOY"'],
  [
    /\.\.\.commonTraffic,/g,
    `...commonTraffic, host: { ...commonTraffic.host, name: "${toy}", url: "https://toy.invalid" },`,
  ],
  [/transports: \["json", "sse"\]/g, 'transports: ["json", "frames"]'],
  [/(?<=Codec: Codec = \{ .*createReader)/g, ", framing"],
  [/^import type \{ Codec, Reader \} .*$/gm, '$&\nimport { framing } from "./framing.ts";'],
];

/** What the folders of the toy have instead of what the model has, or beside it. */
const own: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "conformance/kit/wire": {
    "frames.ts": framesText(),
    "transports.ts": `// How the toy's answers travel: as one body, or in frames.

import { framesIn, writeFrame } from "./frames.ts";
import { json } from "../shared/transports.ts";
import type { AnswerTransport, Framing } from "../transport.ts";

const framing: Framing = {
  write: writeFrame,
  read(bytes) {
    try {
      const { events, rest } = framesIn(bytes);
      return rest.length === 0 ? events : undefined;
    } catch {
      return undefined;
    }
  },
};

export const transports: readonly AnswerTransport[] = [
  json,
  { name: "frames", contentType: "application/vnd.toy.frames", isAskedFor: ({ stream }) => stream === true, framing },
];
`,
  },
  "reference/providers": {
    "frames.ts": framesText(),
    "framing.ts": `// Finds the events of the toy's streams.

import { framesIn, writeFrame } from "./frames.ts";
import { FrameError, type Framing } from "../shared/receive.ts";

export const framing: Framing = {
  contentType: "application/vnd.toy.frames",
  write: ({ event, data }) => writeFrame({ ...(event !== undefined && { event }), data }),
  createFeed(reader) {
    let left = new Uint8Array();
    let isWanted = true;
    return {
      push(bytes) {
        const { events, rest } = read(Buffer.concat([left, bytes]));
        left = new Uint8Array(rest);
        for (const event of events) isWanted &&= reader.push(event);
        return isWanted;
      },
      otherText: () => undefined,
      end: () => reader.end(left.length > 0 ? "it ends in the middle of a frame" : undefined),
    };
  },
};

function read(bytes: Uint8Array): ReturnType<typeof framesIn> {
  try {
    return framesIn(bytes);
  } catch (thrown) {
    throw new FrameError((thrown as Error).message);
  }
}
`,
  },
};

function framesText(): string {
  return readFileSync(join(root, "conformance/dev/toy-provider/frames.ts"), "utf8");
}

/** What the kit, the reference and the lists of providers are made of. */
export const sources = ["conformance/kit", "conformance/dev", "reference", "schemas", "package.json", "tsconfig.json"];

/** What is generated is in these, too. */
export const everything = [
  ...["conformance", "reference", "schemas", "spec", "fixtures"],
  ...["package.json", "tsconfig.json", "README.md", "CONTRIBUTING.md"],
];

const installed = /\/(?:node_modules|\.venv|target|__pycache__)(?:\/|$)/;

/** Copies these files and folders into an empty folder, and adds the two folders of the toy. Nothing is generated yet. */
export function copyWithToy(folder: string, parts: readonly string[]): void {
  for (const name of parts)
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !installed.test(path) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const room of Object.keys(own)) addToy(folder, room);
}

/** Runs a script of the copy. */
export function runInCopy(folder: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

function addToy(folder: string, name: string): void {
  const room = join(folder, name);
  for (const path of globSync(`${model}/**/*.ts`, { cwd: room }).filter((name) => !name.endsWith(".test.ts"))) {
    const text = renamed.reduce((now, [from, to]) => now.replaceAll(from, to), readFileSync(join(room, path), "utf8"));
    const file = join(room, path.replace(model, toy));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const [path, text] of Object.entries(own[name]!)) writeFileSync(join(room, toy, path), text);
}
