// Finds what the matrix can measure: the peers, the programs that come from a registry, and the loops of this project.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Manifest, MatrixRow, Peer } from "../../schemas/types.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { whichName } from "../kit/base/suggest-name.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { describeProblems, validate } from "../kit/base/validate.ts";
import { agentNames, readAgent } from "../probe/agent-files.ts";
import type { FoundAgent } from "../probe/agent-files.ts";

/** What a row says of itself before it is measured. */
export type RowAbout = Pick<MatrixRow, "id" | "kind" | "title" | "configuration" | "language" | "packages">;

/** Something that can be measured, as it is described. */
export type Source =
  | { about: RowAbout; folder: string; peer: Peer }
  | { about: RowAbout; folder: string; agent: FoundAgent }
  | { about: RowAbout; folder: string };

/** Where the folders of the rows are: that of the package, or one for a test. */
export function sources(root = packagePath()): Source[] {
  return [...peers(join(root, "conformance/peers")), ...programs(root), ...own(join(root, "conformance/drivers/wire"))];
}

/**
 * The sources that are named: by the whole id of their row, or by what follows its first word.
 * @throws UsageError if a name fits none
 */
export function chosenSources(all: readonly Source[], names: readonly string[] | undefined): Source[] {
  if (names === undefined) return [...all];
  const ids = all.map(({ about }) => about.id);
  const odd = names.find((name) => !ids.some((id) => isNamed(id, name)));
  if (odd !== undefined) throw new UsageError(`no row is called ${odd || '""'}; ${whichName(odd, ids)}`);
  return all.filter(({ about }) => names.some((name) => isNamed(about.id, name)));
}

/** Whether a name means a row: `peers/ai-sdk` or `ai-sdk`. */
export function isNamed(id: string, name: string): boolean {
  return id === name || id.split("/")[1] === name;
}

function peers(folder: string): Source[] {
  return foldersWith(folder, "peer.json").map((name) => {
    const peer = readPeer(join(folder, name));
    const { title, configuration, language, packages } = peer;
    return {
      about: { id: `peers/${name}`, kind: "framework", title, configuration, language, packages },
      folder: join(folder, name),
      peer,
    };
  });
}

/** @throws UsageError if the file is not as its schema says */
function readPeer(folder: string): Peer {
  const file = join(folder, "peer.json");
  const peer: unknown = JSON.parse(readFileSync(file, "utf8"));
  const problems = validate("Peer", peer);
  if (problems.length > 0) throw new UsageError(`${file} does not describe a peer:\n${describeProblems(problems)}`);
  return peer as Peer;
}

/** The programs of others: those of this project come from no registry. */
function programs(root: string): Source[] {
  const folder = join(root, "conformance/agents");
  return agentNames(folder).flatMap((name): Source[] => {
    const agent = readAgent(join(folder, `${name}.yaml`));
    if (!agent.package) return [];
    const { registry, name: own, version } = agent.package;
    const about: RowAbout = {
      id: `agents/${name}`,
      kind: "program",
      title: agent.name,
      configuration: `As it is installed, started as: ${agent.command.join(" ")}`,
      language: languages[registry],
      packages: [{ registry: registry === "pip" ? "pypi" : registry, name: own, version }],
    };
    return [{ about, folder, agent }];
  });
}

/** What a program is likely written in, by where it comes from: nobody sees more of it. */
const languages = { npm: "javascript", pip: "python", cargo: "rust", go: "go" } as const;

/** The loops of this project, each with a driver of level wire. */
function own(folder: string): Source[] {
  return foldersWith(folder, "agent-loop.json").map((name) => {
    const manifest = JSON.parse(readFileSync(join(folder, name, "agent-loop.json"), "utf8")) as Manifest;
    return {
      about: {
        id: `own/${name}`,
        kind: "own",
        title: ownTitles[name] ?? name,
        configuration: "A loop of this project, behind the same door as the others.",
        language: manifest.language ?? "typescript",
        packages: [],
      },
      folder: join(folder, name),
    };
  });
}

const ownTitles: Readonly<Record<string, string>> = {
  ejected: "The ejected loop",
  go: "The Go loop",
  python: "The Python loop",
  reference: "The reference",
};

function foldersWith(folder: string, file: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, file)))
    .sort();
}
