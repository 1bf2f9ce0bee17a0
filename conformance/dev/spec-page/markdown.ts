// Reads the Markdown of the spec into trees.

import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";

/** A piece of a text. @see https://github.com/syntax-tree/mdast */
export interface Node {
  type: string;
  children?: Node[];
  value?: string;
  /** Of a heading: 1 to 6. */
  depth?: number;
  url?: string;
  /** Of a picture: what it shows, in words. */
  alt?: string | null;
  /** Of a fenced block: the word after the fence, and those behind it. */
  lang?: string | null;
  meta?: string | null;
  ordered?: boolean;
}

/** The tree of a text. */
export function readMarkdown(text: string): Node {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }) as Node;
}

/** What a reader sees of a piece, without any markup. */
export function plainText({ value, children = [] }: Node): string {
  return value ?? children.map(plainText).join("");
}

/** Every piece of a tree, itself first, in the order of the text. */
export function* everyNode(node: Node): Generator<Node> {
  yield node;
  for (const child of node.children ?? []) yield* everyNode(child);
}
