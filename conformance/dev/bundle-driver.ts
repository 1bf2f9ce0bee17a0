// The driver of the reference as a few files instead of two hundred: what a case ends is started again a hundred times in a suite, and
// to find so many files takes Node longer than to run what is in them.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./schema-files.ts";

const source = join(root, "conformance/drivers/reference");
/** Where it is, as `--driver` takes it. */
export const bundledReference = ".cache/reference";

/** What every run loads; the packages of providers and of MCP are large, and few processes load them. */
const loadedByAll = /^[./]|^@cfworker\/json-schema$/;

/** Writes it. */
export async function bundleReference(): Promise<void> {
  const bundle = await rolldown({
    input: join(source, "driver.ts"),
    platform: "node",
    external: (id) => !loadedByAll.test(id),
  });
  const { output } = await bundle.generate({ format: "esm", chunkFileNames: "[name].js" });
  await bundle.close();
  mkdirSync(join(root, bundledReference), { recursive: true });
  for (const file of output) if (file.type === "chunk") place(file.fileName, file.code);
  const manifest = readFileSync(join(source, "agent-loop.json"), "utf8");
  place("agent-loop.json", manifest.replace("driver.ts", "driver.js"));
}

/** Replaces a file at once, since another suite may be starting drivers from it. */
function place(name: string, text: string): void {
  const path = join(root, bundledReference, name);
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, path);
}

if (import.meta.main) await bundleReference();
