// The command `new-case`: drafts a conformance case from recorded traffic, ready to be edited down.

import { commandLine } from "../kit/base/cli-name.ts";
import { readFixture } from "../traffic/fixture/fixture-file.ts";
import { readCatalogue } from "../kit/suite/catalogue.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { draftCase } from "../traffic/read/draft-case.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { writeWhole } from "./shared/write-file.ts";

/** The options of the command line. */
export interface NewCaseOptions {
  from: string;
  requires: string;
  title: string;
  output?: string;
}

/** Writes the draft as YAML to stdout or a file. */
export async function newCase({ from, requires, title, output }: NewCaseOptions): Promise<void> {
  const { requirements } = readCatalogue(packagePath());
  const requirement = requirements.get(requires);
  if (!requirement)
    throw new UsageError(
      `--requires ${requires} is no requirement of the spec; list them with: ${commandLine} list requirements`,
    );
  const draft = await draftCase(from, await readFixture(from), { title, requires });
  const { stringify } = await import("yaml");
  const text = `# ${requires}: ${requirement.text}\n${stringify(draft, { lineWidth: 0 })}`;
  if (output === undefined) process.stdout.write(text);
  else writeWhole(output, text);
}
