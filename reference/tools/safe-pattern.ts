// Finds the regular expressions that could take more than a bounded time: those that can match one text in very many ways.

/** A part that stands for one character and may be repeated for ever: `[a-z]+`, `.*`, `\d{2,}`. */
const REPEATED = /(\[(?:\\.|[^\]\\])*\]|\\.|[^\\()|[\]*+?{}])(?=[*+]|\{\d+,\})/gu;
/** A part that stands for itself alone, and is not repeated. */
const LITERAL = String.raw`(\\[^\dA-Za-z]|[^\\()[\].|*+?{}^$])`;
const FIRST = new RegExp(`^${LITERAL}(?![*+?{])`, "u");
const LAST = new RegExp(`(?<!\\\\)${LITERAL}$`, "u");

/**
 * Why a pattern cannot be matched in a time that is bounded by the length of the text, or is no pattern; undefined if it can.
 * A repeated group is taken for safe only if it is plain that each of its rounds begins or ends at a place of its own.
 * @see TOOL-43
 */
export function unsafePattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
  } catch {
    return "is no regular expression";
  }
  const classless = pattern.replace(/\[(?:\\.|[^\]\\])*\]/gu, (some) => "_".repeat(some.length));
  if (/\\(?:[1-9]|k<)/u.test(classless.replaceAll("\\\\", "__"))) return "refers back to what it has matched";
  const isSafe = repeatedGroups(pattern).every((body) => isUnambiguous(body));
  return isSafe ? undefined : "repeats a group that can match one text in many ways, which may take for ever";
}

/** What is inside of each group that may be repeated for ever, or very often. */
function repeatedGroups(pattern: string): string[] {
  const opened: number[] = [];
  const bodies: string[] = [];
  for (let at = 0, inClass = false; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === "\\") at++;
    else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else if (char === "(") opened.push(at + 1);
    else if (char === ")") {
      const body = pattern.slice(opened.pop(), at).replace(/^\?(?::|<\w+>)/u, "");
      if (isRepeated(pattern.slice(at + 1))) bodies.push(body);
    }
  }
  return bodies;
}

function isRepeated(after: string): boolean {
  const counted = /^\{\d+(,?)(\d*)\}/u.exec(after);
  return /^[*+]/u.test(after) || (counted !== null && counted[1] === "," && counted[2] !== "0" && counted[2] !== "1");
}

function isUnambiguous(body: string): boolean {
  if (/[()]/u.test(body.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gu, ""))) return false;
  const choices = body.split("|");
  const repeated = [...body.matchAll(REPEATED)].map(([, part]) => part!);
  if (choices.length > 1) {
    const firsts = choices.map((choice) => FIRST.exec(choice)?.[1]);
    return repeated.length === 0 && !firsts.includes(undefined) && new Set(firsts).size === choices.length;
  }
  if (repeated.length === 0) return true;
  const ends = [FIRST.exec(body)?.[1], LAST.exec(body)?.[1]];
  return ends.some((end) => end !== undefined && repeated.every((part) => !isMatch(part, end)));
}

function isMatch(part: string, literal: string): boolean {
  return new RegExp(`^${part}$`, "u").test(literal.replace(/^\\/u, ""));
}
