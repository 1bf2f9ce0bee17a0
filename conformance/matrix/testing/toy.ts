// A framework of nobody: a peer that forgets the conversation, with scripts that show it, or do not, in a folder that is laid out as the project.

import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Peer } from "../../../schemas/types.ts";

/** What is different from the toy as it is. */
export interface ToyOptions {
  /** Members of its peer.json. */
  peer?: Partial<Peer>;
  /** Its scripts, by name. */
  scripts?: Record<string, string>;
  disputes?: string;
}

/** Lays it out. Returns the folder that stands for the project. */
export function makeToy({ peer, scripts = {}, disputes }: ToyOptions = {}): string {
  const root = mkdtempSync(join(tmpdir(), "agent-loop-toy-"));
  const folder = join(root, "conformance/peers/toy");
  mkdirSync(join(folder, "repro"), { recursive: true });
  const json = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
  json("peer.json", { ...toyPeer, ...peer });
  json("agent-loop.json", {
    name: "wire",
    version: "1",
    language: "typescript",
    command: ["node", "driver.ts", "forgets the conversation"],
  });
  copyFileSync(new URL("../../kit/testing/wire-driver.ts", import.meta.url), join(folder, "driver.ts"));
  for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, "repro", name), text);
  if (disputes !== undefined) writeFileSync(join(folder, "disputes.md"), disputes);
  return root;
}

/** Its installation writes down that it took place. */
const toyPeer: Peer = {
  name: "toy",
  title: "Toy",
  configuration: "The only one that it has.",
  language: "typescript",
  packages: [{ registry: "npm", name: "toy", version: "1.0.0" }],
  lockfile: "package-lock.json",
  needs: ["node"],
  install: [["node", "-e", "fs.mkdirSync('node_modules'); fs.appendFileSync('installed.txt', 'x')"]],
  repro: ["node"],
};

/** A script that ends with an exit code, and says a line. */
export function script(shows: string, exit: number, line = "It forgot."): string {
  return `// The conversation is forgotten.\n// Shows: ${shows}\nconsole.log(${JSON.stringify(line)});\nprocess.exitCode = ${exit};\n`;
}
