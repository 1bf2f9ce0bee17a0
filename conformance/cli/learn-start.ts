// `learn start`: writes a driver with an empty loop, and says how stage 1 is examined.

import { commandLine } from "../kit/base/cli-name.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { languages, writeSkeleton } from "./shared/skeleton.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/**
 * Writes the starter.
 * @throws UsageError if there is none for the language, or a file of it is there already
 */
export function startLoop(folder: string, lang: string | undefined): void {
  if (lang === undefined || !languages().includes(lang)) throw new UsageError(noStarter(lang));
  for (const file of writeSkeleton(lang, folder)) console.log(`wrote ${file}`);
  console.log(`
cd ${quoteWord(folder)}
${commandLine} learn 1                        what the first stage is about
${commandLine} test --driver . --stage 1      fails until it is written; the failure says where`);
}

function noStarter(lang: string | undefined): string {
  const known = languages().join(", ");
  const problem = lang === undefined ? "which language? --lang has" : `--lang ${lang} has no starter; there are`;
  return `${problem} ${known}. In any other language stage 1 says how to begin, with an example: ${commandLine} learn 1`;
}
