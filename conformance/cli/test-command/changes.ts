// Watches folders for changes, and collects the writes that an editor makes at once.

import { readdirSync, statSync, watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/** An editor writes a file in several steps; it has written it when it was silent for so long, in milliseconds. */
const settleMs = 50;

/**
 * What changes below some folders, from the moment it is made until it is closed. Each folder has a watcher of its own: a recursive
 * one of Node holds on to files on Linux, and gets no events for a file that an editor has replaced.
 */
export class Changes {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #parents: FSWatcher[];
  readonly #isLeftOut: (folder: string) => boolean;
  readonly #changed = new Set<string>();
  #settling: NodeJS.Timeout | undefined;
  #ready = Promise.withResolvers<void>();

  /**
   * @param folders absolute
   * @param isLeftOut whether nothing in a folder below them counts
   * @throws if a folder does not exist, or the system cannot watch so many
   */
  constructor(folders: readonly string[], isLeftOut: (folder: string) => boolean = () => false) {
    this.#isLeftOut = isLeftOut;
    for (const folder of folders) this.#watch(folder);
    // When a folder is moved away and back, only its parent gets an event.
    this.#parents = folders.map((folder) =>
      watch(dirname(folder), (event, name) => {
        if (event === "rename" && name === basename(folder)) this.#notify(this.#watchAnew(folder));
      }),
    );
  }

  /** The files that changed since the last time, when there are any; each once. */
  async next(): Promise<string[]> {
    await this.#ready.promise;
    this.#ready = Promise.withResolvers();
    const files = [...this.#changed];
    this.#changed.clear();
    return files;
  }

  close(): void {
    clearTimeout(this.#settling);
    for (const watcher of [...this.#watchers.values(), ...this.#parents]) watcher.close();
  }

  /** Watches a folder and those in it. Returns the files that are there. */
  #watch(folder: string): string[] {
    const watcher = watch(folder, (event, name) => name !== null && this.#onEvent(event, join(folder, name)));
    // On some systems a folder that goes away is an error of its watcher; its parent reports that it is gone.
    watcher.on("error", () => watcher.close());
    this.#watchers.set(folder, watcher);
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return [path];
      return this.#isLeftOut(path) ? [] : this.#watch(path);
    });
  }

  #onEvent(event: string, path: string): void {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) this.#notify([path]);
    else if (event === "rename" && !this.#isLeftOut(path)) this.#notify(this.#watchAnew(path));
  }

  #notify(files: readonly string[]): void {
    for (const file of files) this.#changed.add(file);
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#ready.resolve(), settleMs);
  }

  /** Watches a folder that has come, or come back. Returns its files, which may have come before it was watched. */
  #watchAnew(folder: string): string[] {
    for (const [path, watcher] of this.#watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
    try {
      return this.#watch(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return [folder];
    }
  }
}
