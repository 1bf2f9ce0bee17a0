// The command that plays one scenario of a probe again.

import { commandLine } from "../kit/base/cli-name.ts";
import { quoteWord } from "../kit/driver/quote-word.ts";
import { usualTimeoutMs } from "./probe-options.ts";
import type { ProbeCommandOptions } from "./probe-options.ts";

/** What a person copies to see one scenario once more. */
export function probeCommand(
  scenario: string,
  command: readonly string[],
  { agent, continue: again, env = [], offline, from, runTools, timeout }: ProbeCommandOptions,
): string {
  const words = [
    ...(agent === undefined ? [] : ["--agent", agent]),
    ...(again === undefined ? [] : ["--continue", again]),
    ...env.flatMap((one) => ["--env", one]),
    ...(offline ? ["--offline"] : []),
    ...(from === undefined ? [] : ["--from", from]),
    ...(runTools === undefined ? [] : [`--run-tools=${runTools}`]),
    ...(timeout === usualTimeoutMs ? [] : ["--timeout", String(timeout)]),
    ...["--scenario", scenario, "--keep", "probe"],
    ...(command.length === 0 ? [] : ["--", ...command]),
  ];
  return [commandLine, "probe", ...words.map(quoteWord)].join(" ");
}
