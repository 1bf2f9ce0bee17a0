// The public interface of the conformance kit: run the suite against a driver, and read what came of it.

export { LoadError, loadSuite } from "./suite.ts";
export type { Bug, Suite, SuiteCase, SuiteOptions } from "./suite-types.ts";
export type { Catalogue, Requirement } from "./catalogue.ts";
export type { LoadProblem } from "./case-file.ts";
export { runSuite } from "./runner.ts";
export { countVerdicts, exitCodeOf, isQuiet } from "./verdicts.ts";
export { ReportError, readReport, reportLines } from "./report-lines.ts";
export type { Report } from "./make-report.ts";
export { coverageOf } from "./coverage.ts";
export type { Coverage, CoveredRun, MissingVariant, ProfileCoverage, RequirementCoverage } from "./coverage.ts";
export { readKnownFailures } from "./known-failures-file.ts";
export type { KnownFailureList, ListedFailure } from "./known-failures.ts";
export { profilesOf } from "./profiles.ts";
export type { Profile, RequiredCheck } from "./profiles.ts";
export { UnknownVersionError, suiteVersion, versionsOf } from "./suite-version.ts";
export type { Repeatable } from "./repeat-options.ts";
export type { RunSuiteOptions, SuiteRun, TestedDriver } from "./suite-run.ts";
export { KitError, inProcess } from "./in-process.ts";
export type { DriverMethods, Kit, MakeDriver } from "./in-process.ts";
export type { Selection } from "./selection.ts";
export { UnknownDriverError, findDriver, listDrivers } from "./driver-command.ts";
export type { NamedDriver } from "./driver-command.ts";
export type { DriverCommand, DriverEnd, DriverStart, OpenDriver, ProcessListener } from "./driver-types.ts";
export { checkGrammar, eventGrammar } from "./event-grammar.ts";
export type { GrammarOptions } from "./event-grammar.ts";
export { rebuildSession } from "./rebuild-session.ts";
export { match } from "./matcher.ts";
export type { MatchContext, Mismatch } from "./matcher.ts";
export type {
  EventGrammar,
  Failure,
  LoopEvent,
  Manifest,
  ReportFooter,
  ReportHeader,
  Session,
  Shard,
  Totals,
  VariantResult,
  Verdict,
} from "../../reference/types.ts";
