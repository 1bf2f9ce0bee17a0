// The public interface of replaying from tests in TypeScript: a local server, a `fetch`, a provider.

export { replay } from "./replay.ts";
export type { Replay, ReplayOptions } from "./types.ts";
export { InProcessTape, openTape } from "./in-process-tape.ts";
export type { InProcessOptions } from "./in-process-tape.ts";
export { tapeProvider } from "./tape-provider.ts";
export type { TapeProviderSettings } from "./tape-provider.ts";
export { ReplayError } from "./verify.ts";
export { FixtureError, readFixture, writeFixture } from "../fixture/fixture-file.ts";
export type { Fault } from "../fixture/fault.ts";
export type { TapeProblem, TapeVerdict } from "../replay/tape-verdict.ts";
export type { Fixture } from "../../../schemas/types.ts";
