// Keeps how far a loop has come, in a small file in its folder.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { StageScore, TrackProgress } from "../../../schemas/types.ts";
import type { NamedDriver } from "../../kit/driver/command.ts";
import { packagePath } from "../../kit/base/package-root.ts";
import { describeProblems, validate } from "../../kit/base/validate.ts";

/** Its name. */
export const progressFile = "agent-loop-progress.json";

/** The folder of a driver that has one of its own: its agent-loop.json is there, and it is no driver of the package. */
export function folderOf({ manifestFile }: Pick<NamedDriver, "manifestFile">): string | undefined {
  if (manifestFile === undefined) return undefined;
  const folder = resolve(dirname(manifestFile));
  return folder.startsWith(packagePath("conformance/drivers") + sep) ? undefined : folder;
}

/**
 * What the file says; of a loop that has none, nothing.
 * @throws Error that names the file, if it cannot be read as such
 */
export function readProgress(folder: string): TrackProgress {
  const file = join(folder, progressFile);
  if (!existsSync(file)) return { progress: 1, passed: {}, hints: {} };
  const value = parsed(file);
  const problems = validate("TrackProgress", value);
  if (problems.length === 0) return value as TrackProgress;
  throw new ProgressError(`${file} does not say how far a loop is: ${describeProblems(problems)}; mend or remove it`);
}

/** The file is there, and is not what this kit writes. */
export class ProgressError extends Error {
  override readonly name = "ProgressError";
}

/** The progress after a run: what it examined is as it says, and what it did not is as before. */
export function progressAfter(before: TrackProgress, scores: readonly StageScore[], now: string): TrackProgress {
  const passed = { ...before.passed };
  for (const { name, is_passed } of scores) {
    if (!is_passed) delete passed[name];
    else passed[name] ??= now;
  }
  return { ...before, passed };
}

/** The text of the file. */
export function progressText(progress: TrackProgress): string {
  return `${JSON.stringify(progress, null, 2)}\n`;
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ProgressError(`${file} is not JSON: ${(error as Error).message}; mend or remove it`);
  }
}
