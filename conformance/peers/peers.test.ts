// Holds the folders of the peers: small drivers, fixed versions, and a script for everything that a peer is known to break.
// Nothing is installed, and nothing is run.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Manifest, Peer } from "../../schemas/types.ts";
import requirements from "../../spec/requirements.json" with { type: "json" };
import { describeProblems, validate } from "../kit/base/validate.ts";

const here = import.meta.dirname;
const most = 60;
const peers = readdirSync(here).filter((name) => existsSync(join(here, name, "peer.json")));
const known = new Set(requirements.requirements.map(({ id }) => id));

it("has peers", () => {
  expect(peers.length).toBeGreaterThan(0);
});

it.each(["Kit.java", "Scene.java"])("has the same %s in every peer that is written in Java", (name) => {
  const copies = peers.map((peer) => join(here, peer, "src/main/java", name)).filter((file) => existsSync(file));
  expect(copies.length).toBeGreaterThan(1);
  expect(new Set(copies.map((file) => readFileSync(file, "utf8"))).size).toBe(1);
});

describe.each(peers)("%s", (name) => {
  const text = (...path: string[]): string => readFileSync(join(here, name, ...path), "utf8");
  const peer = JSON.parse(text("peer.json")) as Peer;
  const manifest = JSON.parse(text("agent-loop.json")) as Manifest;

  it("is described as its schemas say, under the name of its folder", () => {
    expect(describeProblems(validate("Peer", peer))).toBe("");
    expect(describeProblems(validate("Manifest", manifest))).toBe("");
    expect([peer.name, manifest.name]).toEqual([name, name]);
    expect(manifest.version).toBe(peer.packages[0]!.version);
  });

  it(`has a driver of at most ${most} lines`, () => {
    const begun = manifest.command.find((part) => /^driver\.\w+$/.test(part));
    const driver = begun ?? "src/main/java/Driver.java";
    expect(text(driver).trimEnd().split("\n").length).toBeLessThanOrEqual(most);
  });

  it("fixes every version in a lockfile, which names no registry", () => {
    const lock = text(peer.lockfile);
    for (const { name: pack, version } of peer.packages) {
      expect(lock).toContain(pack.split(":").at(-1));
      expect(lock).toContain(version);
    }
    expect(lock).not.toMatch(/"resolved"|--(extra-)?index-url|\bregistry\.|https?:\/\/\S+\.(tgz|whl|jar|crate)\b/);
  });

  it("has a script for each requirement that it is known to break, and for no other", () => {
    const shown = scriptsOf(name).flatMap((script) => requirementsShown(text("repro", script), script));
    expect([...new Set(shown)].sort()).toEqual([...(peer.known ?? [])].sort());
    expect(shown.filter((id) => !known.has(id))).toEqual([]);
  });

  it("has scripts that know neither the kit nor the driver", () => {
    for (const script of scriptsOf(name))
      expect(text("repro", script), script).not.toMatch(/driver\.\w+["']|kit\.(ts|py)|\.\.\/\.\.\/(\.\.\/)+/);
  });
});

/** The scripts of a peer; what begins with an underscore is a part that they share. */
function scriptsOf(name: string): string[] {
  const folder = join(here, name, "repro");
  return existsSync(folder) ? readdirSync(folder).filter((file) => !/^_|^__/.test(file)) : [];
}

/** What the second line of a script says that it shows. */
function requirementsShown(script: string, file: string): string[] {
  const [, second = ""] = script.split("\n");
  const [, ids] = /^\W+Shows: (.+?)\W*$/.exec(second) ?? [];
  if (!ids) throw new Error(`${file}: the second line has to be a comment such as: Shows: LOOP-9, TOOL-3`);
  return ids.split(", ");
}
