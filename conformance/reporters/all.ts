// Every reporter by its name.

import type { Reporter, ReporterContext } from "./reporter.ts";

/** What a reporter is called on the command line. */
export type ReporterName = keyof typeof reporters;

type MakeReporter = (context: ReporterContext) => Promise<Reporter>;

/** The reporters by name, each loaded when it is used. */
export const reporters = {
  pretty: async (context) => (await import("./pretty.ts")).prettyReporter(context),
  json: async (context) => (await import("./json.ts")).jsonReporter(context),
  junit: async (context) => (await import("./junit.ts")).junitReporter(context),
  tap: async (context) => (await import("./tap.ts")).tapReporter(context),
  ctrf: async (context) => (await import("./ctrf.ts")).ctrfReporter(context),
  github: async (context) => (await import("./github.ts")).githubReporter(context),
  badge: async (context) => (await import("./badge.ts")).badgeReporter(context),
  html: async (context) => (await import("./html.ts")).htmlReporter(context),
} as const satisfies Record<string, MakeReporter>;

/** What these write is for programs, so that nothing else may stand beside it. */
export const documents: ReadonlySet<string> = new Set(["json", "junit", "tap", "ctrf", "badge", "html"]);
