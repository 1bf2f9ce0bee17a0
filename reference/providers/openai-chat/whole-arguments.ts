// Says whether the arguments of a call are a whole JSON object, while they grow.

/** The arguments of one call: each piece is looked at once, and the whole is read once at most. */
export interface Growing {
  /** Takes the next piece of the arguments. */
  add(piece: string): void;
  /** Whether what came is a JSON object to which nothing can be added. */
  isWhole(): boolean;
}

const SPACE = /^[ \t\n\r]*$/;

/** @param written gives the arguments as far as they came, those of the pieces that were added included */
export function createGrowing(written: () => string): Growing {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let ended: "no" | "just" | "whole" | "broken" = "no";
  const growing: Growing = { add, isWhole };
  add(written());
  return growing;

  function add(piece: string): void {
    for (let at = 0; at < piece.length && ended !== "broken"; at += 1) {
      if (ended !== "no") ended = SPACE.test(piece.slice(at)) ? ended : "broken";
      if (ended !== "no") return;
      take(piece[at]!);
    }
  }

  function take(letter: string): void {
    if (isInString) {
      isInString = isEscaped || letter !== '"';
      isEscaped = !isEscaped && letter === "\\";
    } else if (letter === '"') isInString = true;
    else if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") depth -= 1;
    if (depth === 0 && letter === "}" && !isInString) ended = "just";
    if (depth < 0) ended = "broken";
  }

  function isWhole(): boolean {
    if (ended === "just") ended = isJson(written()) ? "whole" : "broken";
    return ended === "whole";
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
