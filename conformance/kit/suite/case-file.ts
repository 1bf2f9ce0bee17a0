// Reads case files, and others of YAML, and knows at which line and column each of their values stands.

import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Node, Pair } from "yaml";
import type { Case } from "../../../schemas/types.ts";
import { checkCase } from "./lint/lint-case.ts";
import type { CaseProblem, KnownNames } from "./lint/problem.ts";
import { pointerTokens } from "../base/json-pointer.ts";
import { validate } from "../base/validate.ts";

/** Something that is wrong with a case file. */
export interface LoadProblem {
  /** As it was given to `readCaseFile`. */
  file: string;
  line: number;
  column: number;
  /** What was expected, what came, and what to do. */
  message: string;
}

/** The result of reading a case file: a case without problems, or problems. */
export interface CaseFile {
  case?: Case;
  problems: LoadProblem[];
}

/**
 * Reads a case file. Every problem is reported, not only the first.
 * @param file how problems name the file
 * @see KIT-6
 */
export function readCaseFile(file: string, text: string, names: KnownNames): CaseFile {
  const { value, problems } = readYamlFile<Case>(file, text, (read) => {
    const wrong = validate("Case", read);
    return wrong.length > 0 ? wrong : checkCase(read as Case, names);
  });
  return value === undefined ? { problems } : { case: value, problems };
}

/**
 * Reads a file of YAML.
 * @param file how problems name the file
 * @param problemsOf what is wrong with what it says
 * @returns the value without problems, or problems in the order of their lines
 */
export function readYamlFile<Value>(
  file: string,
  text: string,
  problemsOf: (value: unknown) => readonly CaseProblem[],
): { value?: Value; problems: LoadProblem[] } {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number, message: string): LoadProblem => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), message };
  };
  const syntax = [...document.errors, ...document.warnings].map(({ pos, message, code }) =>
    at(pos[0], syntaxMessage(code, message)),
  );
  if (syntax.length > 0) return { problems: syntax };
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // An alias of a missing anchor, or too many aliases.
    return { problems: [at(0, syntaxMessage("", (error as Error).message))] };
  }
  const found = problemsOf(value);
  if (found.length === 0) return { value: value as Value, problems: [] };
  return {
    problems: found
      .map(({ pointer, message }) =>
        at(offsetOf(document.contents, pointer), `${pointer === "" ? "" : `${pointer}: `}${message}`),
      )
      .sort((left, right) => left.line - right.line || left.column - right.column),
  };
}

/** The line at which a value stands, counted from 1; that of the nearest enclosing value if it is missing. */
export function lineOf(text: string, pointer: string): number {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  return Math.max(lineCounter.linePos(offsetOf(document.contents, pointer)).line, 1);
}

function syntaxMessage(code: string, message: string): string {
  if (code === "DUPLICATE_KEY") return "this key stands here twice; remove one of them";
  return `this is not valid YAML: ${message}`;
}

/** Where a value begins: its key in a map, the value itself in a list. */
function offsetOf(contents: Node | null, pointer: string): number {
  let node: Node | null = contents;
  let offset = startOf(node);
  for (const token of pointerTokens(pointer)) {
    if (isAlias(node)) return offset;
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === token);
      if (!pair) return offset;
      offset = startOf(pair.key as Node | null);
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = (node.items[Number(token)] as Node | undefined) ?? null;
      if (node === null) return offset;
      offset = startOf(node);
    } else return offset;
  }
  return offset;
}

function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
