// Makes the lists of providers from their folders: a new provider is a folder in the reference and one in the kit, and changes no list.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnswerTransport } from "../kit/wire/transport.ts";
import { root } from "./schema-files.ts";

const ofReference = "reference/providers";
const ofKit = "conformance/kit/wire";

/** The file in which a provider's folder of the reference says what there is to know of it. */
const about = "about.ts";
/** The file in which its folder of the kit says how its answers travel. */
const declared = "transports.ts";

/** The providers, by the names of their folders: each has one in the reference and one in the kit. @throws Error where one is missing */
export function providerNames(folder = root): string[] {
  const adapters = foldersWith(join(folder, ofReference), about);
  const codecs = foldersWith(join(folder, ofKit), "index.ts");
  const alone = [
    ...codecs.filter((name) => !adapters.includes(name)).map((name) => `${ofReference}/${name}/${about}`),
    ...adapters.filter((name) => !codecs.includes(name)).map((name) => `${ofKit}/${name}/index.ts`),
  ];
  if (alone.length > 0)
    throw new Error(`expected a provider in two folders, but there is no ${alone.join(" and no ")}`);
  return adapters;
}

/** The name under which the folder of the kit exports its codec: `openaiChat` for `openai-chat`. */
export function codecName(provider: string): string {
  return provider.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What each list should say, by its path. */
export const providerFiles: readonly [path: string, text: () => string | Promise<string>][] = [
  ["schemas/provider.schema.json", schemaFile],
  [`${ofKit}/provider-names.ts`, namesFile],
  ["schemas/transport.schema.json", transportSchemaFile],
  [`${ofKit}/transports.ts`, transportsFile],
  [`${ofKit}/codecs.ts`, codecsFile],
  [`${ofReference}/registry.ts`, registryFile],
  ["conformance/drivers/reference/declared-providers.ts", declaredFile],
];

function schemaFile(): string {
  const names = providerNames();
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "provider.schema.json",
    title: "ProviderName",
    description: "A provider: the format in which a model is asked. Generated from the folders of the providers.",
    enum: names,
    $defs: {
      Seam: {
        title: "Seam",
        description: "Where a loop meets the kit: at a model in generic terms, or at a provider.",
        enum: ["generic", ...names],
      },
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/**
 * The names of the transports that the providers of a folder have, each once.
 * @throws Error where one that is no stream is not called `json`, or two of one name are of two types
 */
export async function transportNames(folder = root): Promise<string[]> {
  const types = new Map<string, string>();
  for (const provider of providerNames(folder)) {
    const file = `${ofKit}/${provider}/${declared}`;
    const { transports } = (await import(pathToFileURL(join(folder, file)).href)) as { transports: AnswerTransport[] };
    for (const { name, contentType, framing } of transports) {
      if ((name === "json") === (framing !== undefined))
        throw new Error(`expected every transport but json to have a framing, got ${name} of ${file}`);
      const other = types.get(name) ?? contentType;
      if (other !== contentType)
        throw new Error(`expected ${name} of ${file} to be of the type ${other}, as elsewhere, got ${contentType}`);
      types.set(name, contentType);
    }
  }
  return [...types.keys()].sort();
}

async function transportSchemaFile(): Promise<string> {
  const names = await transportNames();
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "transport.schema.json",
    title: "TransportName",
    description:
      "How an answer travels. json: one JSON body. Every other: a stream of events, as the folder of a provider frames them. Generated from the folders of the providers.",
    enum: names,
    $defs: {
      TransportFilter: {
        title: "TransportFilter",
        description: "A transport, or streamed: every one that streams.",
        enum: [...names, "streamed"],
      },
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function transportsFile(): string {
  const names = providerNames();
  return `// How the answers of each provider travel. Generated from their folders by \`npm run generate\`. Do not edit.

import type { ProviderName } from "../../../schemas/types.ts";
import type { AnswerTransport } from "./transport.ts";
${names.map((name) => `import { transports as ${codecName(name)} } from "./${name}/${declared}";\n`).join("")}
export const transportsOf: Readonly<Record<ProviderName, readonly AnswerTransport[]>> = {
${names.map((name) => `  ${keyOf(name)}: ${codecName(name)},\n`).join("")}};
`;
}

function namesFile(): string {
  return `// The names of the providers that the kit can play. Generated from their folders by \`npm run generate\`. Do not edit.

import type { ProviderName } from "../../../schemas/types.ts";

export const providerNames: readonly ProviderName[] = ${listOf(providerNames())};
`;
}

function codecsFile(): string {
  const names = providerNames();
  return `// The providers that the kit can play, by name. Generated from their folders by \`npm run generate\`. Do not edit.

import type { ProviderCodec, ProviderName } from "./codec.ts";
${names.map((name) => `import { ${codecName(name)} } from "./${name}/index.ts";\n`).join("")}
export const codecs: Readonly<Record<ProviderName, ProviderCodec>> = {
${names.map((name) => `  ${keyOf(name)}: ${codecName(name)},\n`).join("")}};

export { alignIds } from "./shared/normal-form.ts";
`;
}

function registryFile(): string {
  const names = providerNames();
  return `// The providers of the reference, by name. Generated from their folders by \`npm run generate\`. Do not edit.

import type { AboutProvider } from "./shared/about-provider.ts";
${names.map((name) => `import { about as ${codecName(name)} } from "./${name}/${about}";\n`).join("")}import type { ProviderName } from "../../schemas/types.ts";

export const providers: Readonly<Record<ProviderName, AboutProvider>> = {
${names.map((name) => `  ${keyOf(name)}: ${codecName(name)},\n`).join("")}};
`;
}

/** What the driver of the reference says of the providers before it needs one: to load them all takes as long as to start it. */
async function declaredFile(): Promise<string> {
  const declarations = providerNames().map(async (name) => {
    const file = pathToFileURL(join(root, ofReference, name, about)).href;
    const { sdk, transports } = ((await import(file)) as { about: { sdk?: string; transports: string[] } }).about;
    const fields = [...(sdk === undefined ? [] : [`sdk: ${JSON.stringify(sdk)}`]), `transports: ${listOf(transports)}`];
    return `  ${keyOf(name)}: { ${fields.join(", ")} },\n`;
  });
  return `// What the driver declares of each provider. Generated from their folders by \`npm run generate\`. Do not edit.

import type { ProviderName, TransportName } from "../../../schemas/types.ts";

/** The package that a provider needs, if it needs one, and how its answers travel. */
export const declaredProviders: Readonly<
  Record<ProviderName, { readonly sdk?: string; readonly transports: readonly TransportName[] }>
> = {
${(await Promise.all(declarations)).join("")}};
`;
}

/** As the formatter writes it, whatever its length. */
function listOf(names: string[]): string {
  const quoted = names.map((name) => JSON.stringify(name));
  const line = `[${quoted.join(", ")}]`;
  return line.length < 60 ? line : `[\n${quoted.map((name) => `  ${name},\n`).join("")}]`;
}

function keyOf(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}

function foldersWith(folder: string, file: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, file)))
    .map(({ name }) => name)
    .filter((name) => name !== "testing")
    .sort();
}
