// The files that run the kit in the CI of somebody else: GitHub Actions and GitLab, as the package can be installed today.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "./release-refusals.ts";
import { root } from "./schema-files.ts";

type Package = Pick<Manifest, "name" | "version" | "published">;

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Package;
const node = 24;

/** What stands before the commands: nothing, once the registry has the package. */
function installOf({ name, version, published }: Package): string[] {
  return published ? [] : [`npm install --no-save ./${name}-${version}.tgz`];
}

const why = ({ name, version, published }: Package): string =>
  published
    ? ""
    : `# The registry does not have the package yet: put ${name}-${version}.tgz, which npm pack makes, beside this file's project.\n`;

const probe = ({ name }: Package, reporters: readonly string[]): string =>
  `npx ${name} probe ${reportersOf(reporters, "probe")} -- python3 my_agent.py "Look around in this folder."`;

const test = ({ name }: Package, reporters: readonly string[]): string =>
  `npx ${name} test --driver ./my-driver --level essential ${reportersOf(reporters, "test")} --reporter json=report/test.jsonl`;

function reportersOf(shown: readonly string[], what: string): string {
  const all = [...shown, `junit=report/${what}.xml`, `html=report/${what}.html`];
  return all.map((reporter) => `--reporter ${reporter}`).join(" ");
}

/** `.github/workflows/agent-loop.yml`. */
export function githubFile(of: Package = manifest): string {
  const shown = ["pretty", "github"];
  return `# .github/workflows/agent-loop.yml: probes a whole program, and tests a loop behind a driver. Take the job that you need.
# Annotations stand at your own files, the page of each report is an artefact, and the summary of the job has what is broken.
${why(of)}name: agent loop
on: [push, pull_request]
jobs:
${["probe", "test"]
  .map(
    (what) => `  ${what}:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: ${node} }
${[...installOf(of), (what === "probe" ? probe : test)(of, shown)].map((command) => `      - run: ${command}`).join("\n")}
      - if: always()
        uses: actions/upload-artifact@v4
        with: { name: ${what}, path: report }
`,
  )
  .join("")}`;
}

/** `.gitlab-ci.yml`. */
export function gitlabFile(of: Package = manifest): string {
  const shown = ["pretty"];
  return `# .gitlab-ci.yml: probes a whole program, and tests a loop behind a driver. Take the job that you need.
# What is broken stands in the merge request, and the page of each report is an artefact.
${why(of)}.agent-loop:
  image: node:${node}
  artifacts:
    when: always
    paths: [report]
    reports: { junit: report/*.xml }

${["probe", "test"]
  .map(
    (what) => `${what}:
  extends: .agent-loop
  script:
${[...installOf(of), (what === "probe" ? probe : test)(of, shown)].map((command) => `    - ${command}`).join("\n")}
`,
  )
  .join("\n")}`;
}
