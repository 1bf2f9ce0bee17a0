// What a run does beside the event loop, where no round of it can see it: digests are made on other threads, modules are read from the disk.

const underway = new Set<Promise<unknown>>();

/** Counts work until it is done. */
export async function beside<Result>(work: Promise<Result>): Promise<Result> {
  underway.add(work);
  return await work.finally(() => underway.delete(work));
}

/** Whether anything is under way beside the event loop. */
export function isAnythingBeside(): boolean {
  return underway.size > 0;
}

/** Resolves when what is under way now is done, well or not. */
export async function doneBeside(): Promise<void> {
  await Promise.allSettled(underway);
}

const { subtle } = crypto;
const digest = subtle.digest.bind(subtle);
subtle.digest = (...given) => beside(digest(...given));
