// Installs a peer into a cache folder, keyed by everything that decides what is installed, and lays out fresh folders to play in.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Peer } from "../../schemas/types.ts";
import { packagePath } from "../kit/base/package-root.ts";

/** What an installation leaves beside the files of a peer. */
const installedThings = ["node_modules", ".venv", "target", "vendor"];
const isInstalled = (name: string) => installedThings.includes(name) || name === "__pycache__";

/** A peer, or a loop of this project, with what was installed for it. */
export interface Installed {
  /** The folder that has its node_modules, .venv or target. Absent: it needs none. */
  from?: string;
}

/** Why something cannot be measured here. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}

/** The folder of the user's cache that has what was installed. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const cache = environment["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(cache, "agent-loop-spec", "peers");
}

/** How a peer is installed. */
export interface InstallOptions {
  cache: string;
  /** A folder in which `<name>` is installed already. Absent: none. */
  installed?: string;
  /** The newest versions instead of the pinned ones. */
  latest?: boolean;
  /** Called with each command before it runs. */
  onCommand?(command: readonly string[]): void;
}

/**
 * Installs a peer, unless the same was installed before.
 * @throws Unavailable that says why it cannot be
 */
export function installPeer(peer: Peer, folder: string, options: InstallOptions): Installed {
  if (peer.unavailable !== undefined) throw new Unavailable(peer.unavailable);
  const missing = peer.needs.filter((program) => !isOnPath(program));
  if (missing.length > 0) throw new Unavailable(`${missing.join(" and ")} is not on this machine`);
  if (options.installed !== undefined) return { from: alreadyInstalled(join(options.installed, peer.name)) };
  const day = new Date().toISOString().slice(0, 10);
  const key = options.latest ? `latest-${day}` : keyOf(peer, folder);
  const place = join(options.cache, `${peer.name}-${key}`);
  const mark = join(place, "installed.json");
  if (existsSync(mark)) return { from: place };
  rmSync(place, { recursive: true, force: true });
  copyFiles(folder, place);
  for (const command of options.latest ? latestCommands(peer) : peer.install) {
    options.onCommand?.(command);
    runInstall(command, place);
  }
  writeFileSync(mark, `${JSON.stringify({ packages: peer.packages, install: peer.install })}\n`);
  return { from: place };
}

function alreadyInstalled(place: string): string {
  const found = existsSync(place) && readdirSync(place).some(isInstalled);
  if (!found) throw new Unavailable(`nothing is installed in ${place}`);
  return resolve(place);
}

/** A digest of everything that decides what is installed: not the driver, and not the scripts. */
function keyOf({ install }: Peer, folder: string): string {
  const deciding = (name: string) =>
    !isInstalled(name) && !/^(peer\.json|agent-loop\.json|driver\.\w+|repro|disputes\.md|README\.md)$/.test(name);
  return digestOf([folder], deciding, JSON.stringify(install)).slice(0, 12);
}

/** A digest of files, by their names and bytes. */
export function digestOf(paths: readonly string[], isCounted: (name: string) => boolean, more = ""): string {
  const hash = createHash("sha256").update(more);
  for (const path of paths)
    for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }).toSorted(byPlace)) {
      const file = join(entry.parentPath, entry.name);
      const names = file.slice(path.length + 1).split("/");
      if (!entry.isFile() || !names.every(isCounted)) continue;
      hash.update(`\0${names.join("/")}\0`).update(readFileSync(file));
    }
  return hash.digest("hex");
}

function byPlace(left: { parentPath: string; name: string }, right: { parentPath: string; name: string }): number {
  return join(left.parentPath, left.name) < join(right.parentPath, right.name) ? -1 : 1;
}

/** The newest versions, where the client of the registry has a word for them. */
function latestCommands({ packages, install }: Peer): string[][] {
  const [{ registry }] = packages as [Peer["packages"][number]];
  const names = packages.map(({ name }) => name);
  if (registry === "npm")
    return [
      ["npm", "install", "--ignore-scripts", "--no-fund", "--no-audit", ...names.map((name) => `${name}@latest`)],
    ];
  if (registry === "pypi")
    return [
      ["python3", "-m", "venv", ".venv"],
      [".venv/bin/pip", "install", "--disable-pip-version-check", "--upgrade", ...names],
    ];
  throw new Unavailable(
    `--latest is not possible here: ${install[0]!.join(" ")} has no newest version; change its lockfile`,
  );
}

function runInstall(command: readonly string[], cwd: string): void {
  const [program, ...args] = command;
  const found = program!.includes("/") ? join(cwd, program!) : program!;
  const { status, error, stderr } = spawnSync(found, args, { cwd, encoding: "utf8", env: withOwnNode(process.env) });
  if (status === 0) return;
  const last = (stderr ?? "").trim().split("\n").at(-1) ?? "";
  throw new Unavailable(`${command.join(" ")} failed: ${error?.message ?? (last || `exit code ${status}`)}`);
}

/** The versions that were installed, where they are not those of the lockfile. */
export function latestPackages(peer: Peer, { from }: Installed): Peer["packages"] {
  return peer.packages.map((one) => ({ ...one, version: installedVersion(one, from!) ?? one.version }));
}

function installedVersion({ registry, name }: Peer["packages"][number], place: string): string | undefined {
  const manifest = join(place, "node_modules", name, "package.json");
  if (registry === "npm" && existsSync(manifest))
    return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
  const ask = `import importlib.metadata as m; print(m.version(${JSON.stringify(name.replace(/\[.*/, ""))}))`;
  const { status, stdout } = spawnSync(join(place, ".venv/bin/python"), ["-c", ask], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** The folders that drivers and scripts of peers lean on, from the folder of the package. */
const sharedFolders = [
  "conformance/peers/shared",
  "conformance/peers/python",
  "conformance/templates/framework/typescript",
  "conformance/templates/framework/python",
];

/**
 * Lays out a fresh folder as the project has it: the peer and what it leans on as copies, what is installed as links.
 * @param into an empty folder
 * @returns where the peer is, from that folder
 */
export function layOut(folder: string, { from }: Installed, into: string, root = packagePath()): string {
  const place = folder.startsWith(root)
    ? folder.slice(root.length + 1)
    : join("conformance/peers", folder.split("/").at(-1)!);
  for (const shared of sharedFolders)
    if (existsSync(join(root, shared))) copyFiles(join(root, shared), join(into, shared));
  copyFiles(folder, join(into, place));
  for (const thing of installedThings)
    if (from !== undefined && existsSync(join(from, thing))) symlinkSync(join(from, thing), join(into, place, thing));
  return place;
}

function copyFiles(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !path.slice(from.length).split("/").some(isInstalled),
  });
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && existsSync(join(folder, program)));
}

/** An environment in which `node` is the Node that runs this. */
export function withOwnNode<Environment extends NodeJS.ProcessEnv>(environment: Environment): Environment {
  return { ...environment, PATH: [dirname(process.execPath), environment["PATH"]].join(delimiter) };
}
