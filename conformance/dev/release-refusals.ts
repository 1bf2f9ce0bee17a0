// What keeps a version from being released.

import type { Published } from "../kit/base/cli-name.ts";

/** What `package.json` has to say before a release. It is the one place that names the package, its owner and where it lives. */
export interface Manifest extends Published {
  version: string;
  author?: string;
  repository?: { type: string; url: string };
}

/** Where the project is at the moment of a release. */
export interface Moment {
  manifest: Manifest;
  changelog: string;
  /** The files that git does not know as they are. */
  changed: readonly string[];
}

/** Every reason not to release, each with what to do; none if there is none. */
export function releaseRefusals({ manifest, changelog, changed }: Moment): string[] {
  const { version, published, repository, author } = manifest;
  const refusals: [holds: boolean, reason: string][] = [
    [!published, `package.json says "published": false; say true once the name is yours on the registry`],
    [
      !/^git\+https:\/\/.+\.git$/.test(repository?.url ?? ""),
      `package.json says no repository; write {"type": "git", "url": "git+https://….git"}, so that readers of the registry find it`,
    ],
    [(author ?? "") === "", "package.json says no author; name who owns the package"],
    [
      !new RegExp(`^## ${version.replaceAll(".", "\\.")}$`, "m").test(changelog),
      `CHANGELOG.md has no heading "## ${version}"; write what is in it, without (unreleased)`,
    ],
    [changed.length > 0, `not committed: ${changed.slice(0, 5).join(", ")}; commit or drop it`],
  ];
  return refusals.flatMap(([holds, reason]) => (holds ? [reason] : []));
}
