// Parses JSON texts of which most differ in one string only, as the deltas of a stream do, without parsing what repeats.

/** Names the string that differs: a field of an object inside the value. Undefined: this value has no such string. */
export type FindSlot = (value: unknown) => { object: Record<string, unknown>; key: string } | undefined;

/** A text around its string, and what the text stands for. */
interface Template {
  before: string;
  after: string;
  value: unknown;
  object: Record<string, unknown>;
  key: string;
}

/** After so many texts in a row that gave no template, more than the one string differs, and none is looked for any more. */
const ATTEMPTS = 8;

/**
 * A `JSON.parse` for one stream. Where a text differs from one before it only in the string that `find` names, the value is the
 * same object as before with the new string in it: it is good until the next call.
 * @throws SyntaxError as `JSON.parse` does
 */
export function createDeltaParser(find: FindSlot): (text: string) => unknown {
  let template: Template | undefined;
  let attempts = 0;
  return (text) => {
    const own = template && between(template, text);
    if (template && own !== undefined) {
      attempts = 0;
      template.object[template.key] = own;
      return template.value;
    }
    const value: unknown = JSON.parse(text);
    if (attempts < ATTEMPTS && find(value)) {
      attempts += 1;
      template = learn(text, find) ?? template;
    }
    return value;
  };
}

/** The string in the place of the template's; undefined if the text is another one, or more than one value stands there. */
function between({ before, after }: Template, text: string): unknown {
  const end = text.length - after.length;
  if (end <= before.length || !text.startsWith(before) || !text.endsWith(after)) return undefined;
  try {
    // With its quotes, and parsed: this proves that it is one value, and leaves nothing of the text in memory.
    return JSON.parse(text.slice(before.length, end)) as unknown;
  } catch {
    return undefined;
  }
}

/** The text as a template, if another string in the same place is seen to change this field and nothing else. */
function learn(text: string, find: FindSlot): Template | undefined {
  const value: unknown = JSON.parse(text);
  const { object, key } = find(value)!;
  const literal = JSON.stringify(object[key]);
  const at = text.lastIndexOf(literal);
  if (at < 0) return undefined;
  const [before, after] = [text.slice(0, at), text.slice(at + literal.length)];
  object[key] = `${String(object[key])}.`;
  const other = `${before}${JSON.stringify(object[key])}${after}`;
  return meansTheSame(other, value) ? { before, after, value, object, key } : undefined;
}

function meansTheSame(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}
