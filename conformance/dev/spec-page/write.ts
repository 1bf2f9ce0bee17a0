// Writes the page of the spec, dist/spec.html: npm run spec

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../schema-files.ts";
import { specPage } from "./page.ts";
import { readSpec } from "./spec-data.ts";

/** Makes the page and says how large it is. */
export async function writeSpecPage(path = "dist/spec.html"): Promise<void> {
  const page = specPage(await readSpec());
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, path), page);
  console.log(`wrote ${path}, ${(Buffer.byteLength(page) / 1e6).toFixed(1)} MB`);
}

if (import.meta.main) await writeSpecPage();
