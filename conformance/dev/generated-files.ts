// Every generated file of the project but the lists of providers, and what makes it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMatrix } from "../matrix/matrix-file.ts";
import { matrixPicture } from "../matrix/picture.ts";
import { githubFile, gitlabFile } from "./ci-files.ts";
import { featurePage } from "./feature-page.ts";
import { chapters, requirementsFile } from "./generate-requirements.ts";
import {
  defaultOptionsFile,
  fillMarkdown,
  permissionTableFile,
  resultTextsFile,
  stopTableFile,
} from "./generate-tables.ts";
import { tracedNamesFile } from "./generate-traced-names.ts";
import { typePaths, typesFiles } from "./generate-types.ts";
import { validatorsFile } from "./generate-validators.ts";
import { roomRulesFile } from "./room-rules.ts";
import { root } from "./schema-files.ts";

const filled = (path: string): [string, () => string] => [
  path,
  () => fillMarkdown(path, readFileSync(join(root, path), "utf8")),
];

let types: ReturnType<typeof typesFiles> | undefined;

/** Chapters that are generated whole. */
const generatedChapters = [
  "features.md",
  "loop/essential.md",
  "loop/essential-providers.md",
  "loop/core.md",
  "loop/parts.md",
  "kit/judged.md",
  "kit/implementations.md",
];

/**
 * What each generated file should say. Chapters first: filling their tables moves the lines of requirements. What is made from
 * the requirements last.
 */
export const generatedFiles: readonly [path: string, text: () => string | Promise<string>][] = [
  ...chapters(join(root, "spec"))
    .filter((name) => !generatedChapters.includes(name))
    .map((name) => filled(join("spec", name))),
  ...typePaths.map((path): [string, () => Promise<string>] => [
    path,
    async () => (await (types ??= typesFiles()))[path],
  ]),
  ["reference/events/telemetry/provider-names.ts", tracedNamesFile],
  ["reference/core/stop-table.ts", () => stopTableFile()],
  ["reference/core/result-texts.ts", () => resultTextsFile()],
  ["reference/plugins/tools/permission-table.ts", () => permissionTableFile()],
  ["reference/run/default-options.ts", () => defaultOptionsFile()],
  ["conformance/kit/base/validators.js", () => validatorsFile()],
  [".oxlintrc.rooms.json", () => roomRulesFile()],
  ["spec/requirements.json", () => requirementsFile(join(root, "spec"))],
  // The suite is loaded with the validators that were written above.
  ["spec/features.md", async () => featurePage(await (await import("../kit/index.ts")).loadSuite())],
  [
    "spec/loop/essential.md",
    async () =>
      (await import("./essential-page.ts")).essentialPage(await (await import("../kit/index.ts")).loadSuite()),
  ],
  [
    "spec/loop/essential-providers.md",
    async () =>
      (await import("./essential-page.ts")).essentialProvidersPage(await (await import("../kit/index.ts")).loadSuite()),
  ],
  [
    "spec/loop/core.md",
    async () => (await import("./part-page.ts")).corePage(await (await import("../kit/index.ts")).loadSuite()),
  ],
  [
    "spec/loop/parts.md",
    async () => (await import("./part-page.ts")).partPage(await (await import("../kit/index.ts")).loadSuite()),
  ],
  [
    "spec/kit/judged.md",
    async () => (await import("./judged-page.ts")).judgedPage(await (await import("../kit/index.ts")).loadSuite()),
  ],
  ["spec/kit/implementations.md", async () => (await import("./implementation-page.ts")).implementationPage()],
  ["spec/where.json", async () => (await import("./where-index.ts")).whereIndex()],
  ["conformance/matrix/matrix.svg", () => matrixPicture(readMatrix(join(root, "conformance/matrix/matrix.json")))],
  ["conformance/ci/github.yml", () => githubFile()],
  ["conformance/ci/gitlab.yml", () => gitlabFile()],
  filled("README.md"),
  filled("CONTRIBUTING.md"),
  filled("spec/registry/README.md"),
  filled("fixtures/README.md"),
  filled("reference/examples/README.md"),
  filled("reference/beside/README.md"),
];
