// Finds the fenced blocks of a markdown text, each with its line and its neighbours.

/** A fenced block of a markdown file. */
export interface Block {
  file: string;
  /** The line of the opening fence. */
  line: number;
  info: string;
  text: string;
  /** The block that follows with nothing but blank lines between. */
  next: Block | undefined;
  /** The last block before this one in the file. */
  previous: Block | undefined;
}

/** The fenced blocks of a markdown text, in order. */
export function fencedBlocks(file: string, markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: (Block & { end: number })[] = [];
  for (let i = 0; i < lines.length; i++) {
    const fence = /^(\s*)(```+)(.*)$/.exec(lines[i]!);
    if (!fence) continue;
    const start = i;
    while (++i < lines.length && lines[i]!.trim() !== fence[2]);
    const text = lines
      .slice(start + 1, i)
      .map((line) => line.slice(fence[1]!.length))
      .join("\n");
    blocks.push({
      file,
      line: start + 1,
      info: fence[3]!.trim(),
      text,
      next: undefined,
      previous: blocks.at(-1),
      end: i,
    });
  }
  blocks.forEach((block, index) => {
    const next = blocks[index + 1];
    if (next && lines.slice(block.end + 1, next.line - 1).every((line) => line.trim() === "")) block.next = next;
  });
  return blocks;
}

/** The lines of a block that have something in them. */
export function nonEmptyLines(block: Block): string[] {
  return block.text.split("\n").filter((line) => line.trim() !== "");
}
