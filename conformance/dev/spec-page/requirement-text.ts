// Takes the paragraph of a requirement apart: the sentence, and the lines behind it that say why.

import type { Node } from "./markdown.ts";
import { plainText } from "./markdown.ts";

/** The pieces of a requirement, without its id and the words that stand before each line. */
export interface RequirementText {
  id: string;
  /** Its key word, such as MUST NOT, is a node of its own, of type `keyWord`. */
  sentence: Node[];
  why: Node[];
  untestable: Node[];
  /** What the id said in an earlier version. */
  until: Node[];
}

const labels = { "Why:": "why", "Untestable:": "untestable", "Feature:": "feature", "Until:": "until" } as const;

/** The requirement that a paragraph is; undefined for any other. */
export function requirementText(paragraph: Node): RequirementText | undefined {
  const [first, ...rest] = paragraph.children ?? [];
  if (paragraph.type !== "paragraph" || first?.type !== "strong") return undefined;
  const id = plainText(first);
  if (!/^[A-Z]+-\d+$/.test(id)) return undefined;
  const parts = {
    sentence: [] as Node[],
    why: [] as Node[],
    untestable: [] as Node[],
    feature: [] as Node[],
    until: [] as Node[],
  };
  let part: keyof typeof parts = "sentence";
  for (const node of rest.flatMap(byLine)) {
    const label = /^(Why:|Untestable:|Feature:|Until:) ?/.exec(node.type === "text" ? node.value! : "");
    if (label) part = labels[label[1] as keyof typeof labels];
    parts[part].push(label ? { ...node, value: node.value!.slice(label[0].length) } : node);
  }
  const { sentence, why, untestable, until } = parts;
  return { id, sentence: sentence.flatMap(byKeyWord), why, untestable, until };
}

/** A text as one piece for each of its lines. */
function byLine(node: Node): Node[] {
  if (node.type !== "text") return [node];
  return node.value!.split(/(?<=\n)/).map((value) => ({ ...node, value: value.replace("\n", " ") }));
}

/** A text as one piece for its key word, and one for what stands on each side. Code that says MUST is code. */
function byKeyWord(node: Node): Node[] {
  if (node.type !== "text") return [node];
  const parts = node.value!.split(/\b(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY)\b/);
  return parts.map((value, index) => ({ type: index % 2 === 1 ? "keyWord" : "text", value }));
}
