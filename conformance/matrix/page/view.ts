// What of the matrix is shown: the choices of the reader, the rows that fit them, and what a cell is then.

import type { Matrix, MatrixCell, MatrixNext, MatrixRow } from "../../../schemas/types.ts";

export type Outcome = MatrixCell["outcome"];
export type Severity = Matrix["requirements"][string]["severity"];

/** What the reader chose. Empty: everything. */
export interface Choice {
  severities: string[];
  kinds: string[];
  language: string;
  provider: string;
  order: string;
}

export const noChoice: Choice = { severities: [], kinds: [], language: "", provider: "", order: "" };

/** The severities, worst first, each with what it means for a user, in a few words and in one sentence. */
export const severityWords: { severity: Severity; short: string; long: string }[] = [
  { severity: "executes", short: "executes unasked", long: "Something is done that nobody asked for." },
  { severity: "leaks", short: "leaks", long: "A secret is given away." },
  { severity: "bricks", short: "cannot continue", long: "The provider refuses the conversation from now on." },
  { severity: "loses", short: "forgets", long: "What was said or done is lost." },
  { severity: "misreports", short: "reports wrongly", long: "A failure is reported as success, or the reverse." },
];

/** The signs of outcomes, with their words, from the worst to the least. */
export const signs: Record<Outcome, { sign: string; word: string; long: string }> = {
  broken: { sign: "×", word: "broken", long: "a script shows it without our kit" },
  unconfirmed: {
    sign: "?",
    word: "unconfirmed",
    long: "seen by the kit; no script shows it yet, so it is no accusation",
  },
  kept: { sign: "", word: "kept", long: "wherever it was tried" },
  not_seen: { sign: "·", word: "not seen", long: "what it is about did not occur" },
  not_expressible: { sign: "~", word: "not expressible", long: "the driver could not bring it about" },
  not_applicable: { sign: "–", word: "not applicable", long: "there can be no occasion" },
};

export const kindWords: Record<MatrixRow["kind"], string> = {
  framework: "Frameworks",
  program: "Programs",
  own: "Loops of this project",
};

/** The name of a row, and its version. */
export function versionOf({ packages: [first] }: MatrixRow): string {
  return first?.version ?? "";
}

/** What a cell is, with all providers or with one of them. */
export function outcomeOf(cell: MatrixCell | undefined, provider: string): Outcome {
  if (!cell) return "not_seen";
  if (provider === "" || cell.providers === undefined) return cell.outcome;
  const seen = cell.providers[provider] ?? "not_applicable";
  return seen === "broken" && cell.outcome === "unconfirmed" ? "unconfirmed" : seen;
}

/** What a variant of the next message is: red only where a script shows one of the requirements that it breaks. */
export function nextOutcome({ cells = {} }: MatrixRow, { outcome, requirements = [] }: MatrixNext): Outcome {
  if (outcome !== "broken" || requirements.some((id) => cells[id]?.outcome === "broken")) return outcome;
  return "unconfirmed";
}

/** Whether a row fits what was chosen. */
function fits(row: MatrixRow, { kinds, language, provider }: Choice): boolean {
  if (kinds.length > 0 && !kinds.includes(row.kind)) return false;
  if (language !== "" && row.language !== language) return false;
  return provider === "" || row.providers === undefined || row.providers.includes(provider);
}

/** The rows that fit, in the order that was chosen. */
export function rowsFor(matrix: Matrix, choice: Choice): MatrixRow[] {
  const rows = matrix.rows.filter((row) => fits(row, choice));
  const byName = rows.toSorted((left, right) => left.title.localeCompare(right.title, "en"));
  if (choice.order !== "breaches") return byName;
  return byName.toSorted((left, right) => breaches(left, matrix, choice) - breaches(right, matrix, choice));
}

function breaches(row: MatrixRow, matrix: Matrix, choice: Choice): number {
  if (row.cells === undefined) return Number.MAX_SAFE_INTEGER;
  return requirementsFor(matrix, choice).filter((id) => outcomeOf(row.cells![id], choice.provider) === "broken").length;
}

/** The severities that are shown. */
export function severitiesFor({ severities }: Choice): typeof severityWords {
  return severities.length === 0
    ? severityWords
    : severityWords.filter(({ severity }) => severities.includes(severity));
}

/** The requirements that are shown, by severity, and then by name as people count. */
export function requirementsFor(matrix: Matrix, choice: Choice): string[] {
  return severitiesFor(choice).flatMap(({ severity }) => requirementsOf(matrix, severity));
}

/** The requirements of a severity. */
export function requirementsOf({ requirements }: Matrix, severity: Severity): string[] {
  return Object.keys(requirements)
    .filter((id) => requirements[id]!.severity === severity)
    .sort((left, right) => groupOf(left) - groupOf(right) || left.localeCompare(right, "en", { numeric: true }));
}

/** The loop first, the appendices of the providers last. */
function groupOf(id: string): number {
  const prefixes = ["LOOP", "TOOL", "SESSION", "PROVIDER", "ANTHROPIC", "CHAT", "RESPONSES"];
  const at = prefixes.indexOf(id.split("-")[0]!);
  return at === -1 ? 3.5 : at;
}

/** The address of a choice; empty for none. */
export function hashOf(choice: Choice): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(choice)) {
    const text = Array.isArray(value) ? value.join(" ") : (value as string);
    if (text !== "") words.set(name, text);
  }
  return words.size === 0 ? "" : `#?${words.toString()}`;
}

/** The choice of an address, or undefined if it names something else. */
export function choiceOf(hash: string): Choice | undefined {
  if (!hash.startsWith("#?")) return undefined;
  const words = new URLSearchParams(hash.slice(2));
  const list = (name: string) => (words.get(name) ?? "").split(" ").filter((word) => word !== "");
  return {
    severities: list("severities"),
    kinds: list("kinds"),
    language: words.get("language") ?? "",
    provider: words.get("provider") ?? "",
    order: words.get("order") ?? "",
  };
}
