// What `probe --from` plays: a recorded conversation, with one fault at a time at each exchange.

import { commandLine } from "../kit/base/cli-name.ts";
import { readFixture } from "../traffic/fixture/fixture-file.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { recordedConversation, scenariosOfRecording } from "../probe/from-recording.ts";
import type { Playable } from "../probe/run-probe.ts";
import { named } from "../probe/scenario-files.ts";

/**
 * The scenarios of a recording, once the person has named the tools that may be executed again.
 * @throws UsageError with the list of them, if not
 * @see PROBE-7
 */
export async function scenariosFrom(
  file: string,
  runTools: string | undefined,
  only: readonly string[] | undefined,
): Promise<Playable[]> {
  const recording = await recordedConversation(await readFixture(file));
  if (recording.answers.length === 0)
    throw new UsageError(`${file} has no conversation with tools; record one with: ${commandLine} record`);
  const all = scenariosOfRecording(recording, file);
  const chosen = named(all, only);
  const allowed = runTools === "all" ? undefined : new Set((runTools ?? "").split(",").map((name) => name.trim()));
  const refused = recording.calls.filter(({ name }) => allowed && !allowed.has(name));
  for (const { name, input } of recording.calls)
    console.error(
      `${refused.length > 0 ? "would be" : "is"} executed again, up to ${chosen.length} times: ${name} ${JSON.stringify(input).slice(0, 200)}`,
    );
  if (refused.length > 0) {
    const names = [...new Set(refused.map(({ name }) => name))].join(", ");
    throw new UsageError(
      `the program executes the calls of the recording again; allow it with --run-tools=${names.replaceAll(" ", "")} or --run-tools=all`,
    );
  }
  return chosen;
}
