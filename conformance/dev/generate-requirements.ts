// Makes spec/requirements.json from the chapters, and refuses a chapter whose requirements are not in order.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A numbered sentence of the spec, as it stands in spec/requirements.json. */
export interface Requirement {
  id: string;
  /** The file without folder and extension, for example `loop` or `anthropic-messages`. */
  chapter: string;
  file: string;
  line: number;
  text: string;
  keyword: string;
  actor: string;
  feature?: string;
  why?: string;
  untestable?: string;
  /** Whom it protects. */
  level: string;
  /** How a user is hurt where it is broken; only where it is essential. */
  severity?: string;
  level_reason: string;
  /** The real bug that made it necessary, a key of conformance/bugs.yaml. */
  bug?: string;
  /** The servers that it is about, where these are not the provider's own. */
  dialect?: string;
  /** The last version of the suite in which the id said something else, and what: `1.0. The loop MUST …`. */
  until?: string;
}

/** What a line `Level:` says of a requirement, or of every requirement of a chapter that has none of its own. */
type Level = Pick<Requirement, "level" | "severity" | "level_reason">;

const actors = ["loop", "adapter", "repair", "driver", "kit", "fixture", "store", "server", "recorder"];
const levels = ["essential", "core", "portable", "feature", "kit"];
const severities = ["executes", "misreports", "bricks", "loses", "leaks"];
const ofFeature: Level = {
  level: "feature",
  level_reason: "Only an implementation that declares the feature has to keep it.",
};
const keywords = /\b(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY)\b/g;
const bcp14 = /\b(SHALL NOT|SHALL|REQUIRED|RECOMMENDED|NOT RECOMMENDED|OPTIONAL)\b/;

/** The folders of chapters, in the order of reading: what belongs to both documents, the loop, its providers, the kit. */
const folders = [".", "loop", "loop/providers", "kit"];

/** The chapters below a folder `spec`, as paths relative to it. */
export function chapters(spec: string): string[] {
  const list = (folder: string) =>
    existsSync(join(spec, folder))
      ? readdirSync(join(spec, folder))
          .filter((name) => name.endsWith(".md"))
          .sort()
          .map((name) => join(folder, name))
      : [];
  return folders.flatMap(list);
}

/**
 * Reads every requirement of the spec.
 * @param spec the folder `spec`
 * @throws Error that lists every mistake with file and line
 */
export function readRequirements(spec: string): Requirement[] {
  const features = Object.keys(JSON.parse(readFileSync(join(spec, "features.json"), "utf8")) as object);
  const problems: string[] = [];
  const found: Requirement[] = [];
  for (const name of chapters(spec)) {
    for (const requirement of chapterRequirements(name, readFileSync(join(spec, name), "utf8"))) {
      const { problem, ...clean } = requirement;
      if (problem) problems.push(problem);
      problems.push(...mistakes(clean, found, features));
      found.push(clean);
    }
  }
  problems.push(...gaps(found));
  if (problems.length > 0) throw new Error(`The spec has ${problems.length} mistake(s):\n${problems.join("\n")}`);
  return found;
}

/** The text of spec/requirements.json. */
export function requirementsFile(spec: string): string {
  return JSON.stringify({ requirements: readRequirements(spec) }, null, 2) + "\n";
}

/** The requirements of one chapter, in the order of the text. Fenced blocks are left out. */
function* chapterRequirements(name: string, markdown: string): Generator<Requirement & { problem?: string }> {
  const lines = withoutFences(markdown).split("\n");
  const level = chapterLine(lines, "Level");
  const ofChapter = level === undefined ? undefined : readLevel(level);
  const untestable = chapterLine(lines, "Untestable");
  for (let i = 0; i < lines.length; i++) {
    const start = /^\*\*([A-Z]+-[0-9]+)\*\*\s*(.*)$/.exec(lines[i]!);
    if (!start) continue;
    const [, id = "", first = ""] = start;
    const line = i + 1;
    const parts: Record<string, string> = { text: first };
    let part = "text";
    for (i++; i < lines.length && lines[i]!.trim() !== "" && !/^(\*\*[A-Z]+-\d|#|\||- )/.test(lines[i]!); i++) {
      const label = /^(Why|Untestable|Feature|Level|Bug|Dialect|Until): ?(.*)$/.exec(lines[i]!);
      if (label) part = label[1]!.toLowerCase();
      parts[part] = [parts[part], label ? label[2] : lines[i]!.trim()].filter(Boolean).join(" ");
    }
    i--;
    const { text = "", level: own, ...rest } = parts;
    const prose = text.replaceAll(/`[^`]*`/g, (code) => " ".repeat(code.length));
    const used = [...prose.matchAll(keywords)].map(([keyword]) => keyword);
    const actor = /^(?:The|An?) ([a-z]+) /.exec(text)?.[1] ?? "";
    const file = `spec/${name}`;
    yield {
      id,
      chapter: name.replace(/^.*\/|\.md$/g, "").replace(/\.md$/, ""),
      file,
      line,
      text,
      keyword: used[0] ?? "",
      actor,
      ...(untestable !== undefined && { untestable }),
      ...rest,
      ...levelOf(own, rest["feature"], ofChapter),
      ...(used.length !== 1 && {
        problem: `${file}:${line}: ${id} must have exactly one of MUST, MUST NOT, SHOULD, SHOULD NOT, MAY; it has ${used.join(", ") || "none"}`,
      }),
      ...(bcp14.test(prose) && {
        problem: `${file}:${line}: ${id} uses ${bcp14.exec(prose)![0]}; this spec uses only MUST, SHOULD and MAY`,
      }),
    };
  }
}

/** What a chapter says of each of its requirements that does not say it itself: a paragraph of its own, `Level: core. Why.` */
function chapterLine(lines: readonly string[], label: "Level" | "Untestable"): string | undefined {
  const at = lines.findIndex((line, index) => line.startsWith(`${label}: `) && lines[index - 1]?.trim() === "");
  return at < 0 ? undefined : lines[at]!.slice(label.length + 2);
}

/** What a requirement says itself, then that it belongs to a feature, then what its chapter says; the kit has no features of a loop. */
function levelOf(own: string | undefined, feature: string | undefined, ofChapter: Level | undefined): Level {
  if (own !== undefined) return readLevel(own);
  if (feature !== undefined && ofChapter?.level !== "kit") return ofFeature;
  return ofChapter ?? { level: "", level_reason: "" };
}

/** Reads `essential, executes. What happens to the user.` or `core. Why.` */
function readLevel(text: string): Level {
  const [, level = "", severity, reason = ""] = /^([a-z]+)(?:, ([a-z]+))?\. (.+)$/.exec(text) ?? [];
  return { level, ...(severity !== undefined && { severity }), level_reason: reason };
}

function mistakes(one: Requirement, earlier: Requirement[], features: string[]): string[] {
  const at = `${one.file}:${one.line}: ${one.id}`;
  const problems: string[] = [];
  const twin = earlier.find(({ id }) => id === one.id);
  if (twin) problems.push(`${at} is already defined in ${twin.file}:${twin.line}`);
  if (!actors.includes(one.actor))
    problems.push(
      `${at} must begin with its actor (${actors.map((actor) => `the ${actor}`).join(", ")}), not with "${one.text.slice(0, 30)}"`,
    );
  if (one.feature !== undefined && !features.includes(one.feature))
    problems.push(`${at} names the feature "${one.feature}", which spec/features.json does not have`);
  if (!levels.includes(one.level) || one.level_reason === "")
    problems.push(
      `${at} has no level; write "Level: <${levels.join("|")}>. <why>" below it, or in a paragraph of its own for the whole chapter`,
    );
  if ((one.level === "essential") !== severities.includes(one.severity ?? ""))
    problems.push(
      `${at} is ${one.level} and has ${one.severity === undefined ? "no severity" : `the severity ${one.severity}`}; an essential requirement has one of ${severities.join(", ")}, and no other has any`,
    );
  if (one.dialect !== undefined && (one.level === "essential" || one.dialect === ""))
    problems.push(
      `${at} is about a dialect: say of whose, and give it another level than essential; nobody has to speak to every server`,
    );
  if (one.until !== undefined && !/^\d+\.\d+\. (The|An?) .+\.$/.test(one.until))
    problems.push(
      `${at} says "Until: ${one.until}"; write the version and the sentence of then: "Until: 1.0. The loop MUST …."`,
    );
  if (one.untestable === "") problems.push(`${at} says Untestable without a reason`);
  return problems;
}

/** Ids are append-only: those of one prefix run from 1 without a gap, wherever in the text they stand. */
function gaps(requirements: Requirement[]): string[] {
  const ids = new Set(requirements.map(({ id }) => id));
  return requirements.flatMap(({ id, file, line }) => {
    const [prefix, number] = id.split("-");
    const before = `${prefix}-${Number(number) - 1}`;
    if (number === "1" || ids.has(before)) return [];
    return [`${file}:${line}: ${id} stands without ${before}; an id is never left out or taken away`];
  });
}

/** Blanks fenced blocks, so that line numbers stay. */
function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ""));
}
