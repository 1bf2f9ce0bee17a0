// The command `tour`: the loop in ten programs, to be run one by one.

import { commandLine } from "../kit/base/cli-name.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { tour as take } from "../teaching/tour/run.ts";

/** Lists the steps, runs one, or shows what one changes. */
export async function tour(number?: string, word?: string): Promise<void> {
  await take(`${commandLine} tour`, number, word).catch((error: unknown) => {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  });
}
