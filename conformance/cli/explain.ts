// The command `explain`: whatever has a name, with everything that the name means.

import colors from "picocolors";
import { meaningsOf, unknownName } from "../teaching/explain/index.ts";
import { loadSuite } from "../kit/index.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { readMatrix } from "../matrix/matrix-file.ts";
import { brokenByOthers, brokenLines } from "../matrix/real-loops.ts";
import { fitLines } from "./fit-lines.ts";
import { wantsColor } from "./shared/terminal.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** Who breaks it, if it is a requirement that the matrix has. */
function realLoops(id: string): string[] {
  const matrix = readMatrix(packagePath("conformance/matrix/matrix.json"));
  return brokenByOthers(matrix, [id]).map((broken) => brokenLines(broken).join("\n"));
}

/** Explains whatever has this name; to its end, if `full`. */
export async function explain(id: string, { full = false }: { full?: boolean } = {}): Promise<void> {
  const sources = { suite: await loadSuite(), isFull: full };
  const meanings = meaningsOf(id, sources);
  if (meanings.length === 0) throw new UsageError(unknownName(id, sources));
  const { bold } = colors.createColors(wantsColor(process.stdout, process.env));
  const called = new Intl.ListFormat("en").format(meanings.map((meaning) => meaning.called));
  if (meanings.length > 1) console.log(`${id} is ${called}.\n`);
  // In a file or a pipe, lines are as long as they are.
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Infinity;
  const pages = meanings.map(({ lines }) => {
    const [first = "", ...rest] = fitLines(lines.join("\n"), columns).split("\n");
    return [bold(first), ...rest].join("\n");
  });
  const others = realLoops(id).map((text) => fitLines(text, columns));
  console.log([...pages, ...others].join("\n\n"));
}
