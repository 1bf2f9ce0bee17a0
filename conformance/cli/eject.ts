// The command `eject`: copies the core into a user's own source, and prints the next steps.

import { readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandLine } from "../kit/base/cli-name.ts";
import { makeFolder } from "../kit/base/make-folder.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { ejectedFiles } from "../copy/ejected-files.ts";
import { importEnding, type ImportEnding } from "../copy/import-ending.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/**
 * Writes the copy.
 * @param folder a new or an empty one
 * @param options how imports end, if not as the tsconfig.json around the folder says
 * @throws UsageError if the folder has something in it, or cannot be written
 */
export function eject(folder: string, { imports }: { imports?: string } = {}): void {
  const found = imports === undefined ? importEnding(folder) : { ending: endingOf(imports) };
  const files = ejectedFiles({ ending: found.ending, folder: quoteWord(folder) });
  write(folder, files);
  for (const file of files.keys()) console.log(`wrote ${join(folder, file)}`);
  for (const line of advice(folder, found)) console.log(line);
}

function endingOf(imports: string): ImportEnding {
  if (imports === "ts" || imports === "js") return `.${imports}`;
  throw new UsageError(`--imports ${imports} is no ending of imports; choose ts, which Node runs, or js`);
}

function write(folder: string, files: Map<string, string>): void {
  explain(folder, () => {
    const there = statSync(join(folder), { throwIfNoEntry: false });
    if (there && !there.isDirectory()) throw new UsageError(`${folder} is a file; name a folder that is new or empty`);
    const [present] = there ? readdirSync(join(folder)) : [];
    if (present !== undefined)
      throw new UsageError(
        `${join(folder)} is not empty: it has ${present}, and nothing is overwritten; name another folder`,
      );
    for (const [file, text] of files) {
      makeFolder(dirname(join(folder, file)));
      writeFileSync(join(folder, file), text);
    }
  });
}

function explain(folder: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${folder} cannot be written: ${(error as Error).message}; name another folder`);
  }
}

function* advice(folder: string, { ending, file }: { ending: ImportEnding; file?: string }): Generator<string> {
  const why = file === undefined ? "" : `, as ${file} says`;
  yield "";
  yield `what it is:   ${join(folder, "README.md")}`;
  yield `to use it:    import { run } from "…/run${ending}" (imports end in ${ending}${why})`;
  yield `to check it:  ${commandLine} test --driver ${quoteWord(folder)}`;
}
