// The command `export-har`: writes a fixture as an HTTP archive, and says what is lost on the way.

import { readFixture } from "../traffic/fixture/fixture-file.ts";
import { toHar } from "../traffic/formats/to-har.ts";
import { thisProgram } from "../traffic/record/this-program.ts";
import { namedUpstreams } from "./shared/upstream-options.ts";
import { ownerOnly, refuseToOverwrite, writeWhole } from "./shared/write-file.ts";

/** The options of the command line. */
export interface ExportHarOptions {
  out: string;
  upstream?: string[];
  overwrite?: boolean;
}

export async function exportHar(file: string, { out, upstream, overwrite }: ExportHarOptions): Promise<void> {
  refuseToOverwrite(out, { overwrite });
  const { har, losses } = toHar(await readFixture(file), namedUpstreams(upstream), thisProgram());
  writeWhole(out, `${JSON.stringify(har, null, 2)}\n`, ownerOnly);
  console.error(`${out} was written`);
  for (const line of losses) console.error(`  ${line}`);
}
