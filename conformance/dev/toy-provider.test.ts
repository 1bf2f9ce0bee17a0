// A provider is a folder in the reference and one in the kit: the lists, and what reads them, take one more without another line.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { providerNames } from "./generate-providers.ts";
import { copyWithToy, runInCopy, sources } from "./toy-provider.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "toy-provider-"));
  folders.push(folder);
  return folder;
}

/** A project of nothing but these files, all of them empty. */
function project(...files: string[]): string {
  const folder = emptyFolder();
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  return folder;
}

describe("the providers", () => {
  const adapter = "reference/providers/toy/about.ts";
  const codec = "conformance/kit/wire/toy/index.ts";

  test("are the folders that say what they are", () => {
    expect(providerNames(project(adapter, codec, "reference/providers/shared/parts.ts"))).toEqual(["toy"]);
  });

  test.each([
    ["without an adapter", codec, "reference/providers/other/about.ts", adapter],
    ["without a codec", adapter, "conformance/kit/wire/other/index.ts", codec],
  ])("are not those %s", (_, there, elsewhere, missing) => {
    expect(() => providerNames(project(there, elsewhere))).toThrow(missing);
  });
});

test("a copy with one more folder on each side knows it by its name, its path, its host and its losses", () => {
  const folder = emptyFolder();
  copyWithToy(folder, sources);
  const script = `
    import { writeFileSync } from "node:fs";
    const { providerFiles } = await import("./conformance/dev/generate-providers.ts");
    for (const [path, text] of providerFiles) writeFileSync(path, await text());
    const { codecs } = await import("./conformance/kit/wire/codecs.ts");
    const { hosts } = await import("./conformance/kit/wire/hosts.ts");
    const { allVariants } = await import("./conformance/kit/suite/variant.ts");
    const { providers } = await import("./reference/providers/registry.ts");
    const { rooms } = await import("./conformance/dev/rooms.ts");
    console.log(JSON.stringify({
      codec: codecs.toy.provider,
      host: hosts.some(({ name }) => name === "toy"),
      variants: allVariants.map(({ name }) => name).filter((name) => name.startsWith("toy")),
      adapter: providers.toy.create({ model: "m" }).name,
      losses: Object.keys(providers.toy.losses).length > 0,
      room: rooms.some(({ path }) => path === "reference/providers/toy"),
    }));
  `;
  const { output } = runInCopy(folder, "--input-type=module", "-e", script);
  expect(JSON.parse(output)).toEqual({
    codec: "toy",
    host: true,
    variants: ["toy/json", "toy/frames"],
    adapter: "toy",
    losses: true,
    room: true,
  });
});
