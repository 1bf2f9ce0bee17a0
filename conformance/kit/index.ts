// The public interface of the conformance kit: run the suite against a driver, and read the report.

export { LoadError, loadSuite } from "./suite/suite.ts";
export type { Bug, Suite, SuiteCase, SuiteOptions } from "./suite/types.ts";
export type { Catalogue, Requirement } from "./suite/catalogue.ts";
export type { LoadProblem } from "./suite/case-file.ts";
export { runSuite } from "./run/runner.ts";
export { countVerdicts, exitCodeOf, isQuiet } from "./run/verdicts.ts";
export { countRequirements, requirementVerdicts } from "./run/requirement-verdicts.ts";
export type { JudgedRequirement } from "./run/requirement-verdicts.ts";
export { ReportError, readReport, reportLines } from "./run/report-file.ts";
export type { Report } from "./run/make-report.ts";
export { coverageOf } from "./run/coverage.ts";
export type { Coverage, CoveredRun, MissingVariant, ProfileCoverage, RequirementCoverage } from "./run/coverage.ts";
export { readKnownFailures } from "./run/known-failures-file.ts";
export type { KnownFailureList, ListedFailure } from "./run/known-failures.ts";
export { profilesOf } from "./suite/profiles.ts";
export type { Profile, RequiredCheck } from "./suite/profiles.ts";
export { UnknownVersionError, suiteVersion, versionsOf } from "./suite/suite-version.ts";
export type { Repeatable } from "./run/repro-options.ts";
export type { RunSuiteOptions, SuiteRun, TestedDriver } from "./run/types.ts";
export { KitError, inProcess } from "./driver/in-process.ts";
export type { DriverMethods, Kit, MakeDriver } from "./driver/in-process.ts";
export type { Selection } from "./suite/selection.ts";
export { UnknownDriverError, findDriver, listDrivers } from "./driver/command.ts";
export type { NamedDriver } from "./driver/command.ts";
export type { DriverCommand, DriverEnd, DriverStart, OpenDriver, ProcessListener } from "./driver/types.ts";
export { checkGrammar, eventGrammar } from "./checks/event-grammar.ts";
export type { GrammarOptions } from "./checks/event-grammar.ts";
export { rebuildSession } from "./observed/session-from-events.ts";
export { match } from "./base/matcher.ts";
export type { MatchContext, Mismatch } from "./base/matcher.ts";
export type {
  EventGrammar,
  Failure,
  Finding,
  LoopEvent,
  Manifest,
  ReportFooter,
  ReportHeader,
  RequirementLevel,
  RequirementSeverity,
  RequirementTotals,
  RequirementVerdict,
  Session,
  Shard,
  Totals,
  VariantResult,
  Verdict,
} from "../../schemas/types.ts";
