// How a scenario's expectations are judged: by the marks that calls left, by the requests that followed, and by how the program ended.

import { existsSync, readFileSync } from "node:fs";
import type { ProbeExpectation } from "../../schemas/types.ts";
import type { ProviderName } from "../kit/wire/codec.ts";
import { codecs } from "../kit/wire/codecs.ts";
import { whyTaken } from "../kit/wire/taken.ts";
import type { Finding as AuditFinding } from "../traffic/read/finding.ts";
import { withKey } from "./answers.ts";
import type { MadeCall } from "./answers.ts";
import type { PlayedRequest, ScenarioRun } from "./play-scenario.ts";

/** What a check found. */
export type Judged =
  | { verdict: "kept" }
  | { verdict: "not_seen"; reason: string }
  | { verdict: "broken"; exchange?: number; tool?: string; expected?: unknown; received?: unknown };

type Check = (run: ScenarioRun, expectation: ProbeExpectation, audit: readonly AuditFinding[]) => Judged;

const kept: Judged = { verdict: "kept" };
const notSeen = (reason: string): Judged => ({ verdict: "not_seen", reason });

/** Each way of judging, by its name in the scenarios. */
export const checks: Readonly<Record<ProbeExpectation["check"], Check>> = {
  // Who was ended by the time limit may have been about to.
  not_executed: (run, ...rest) => {
    const judged = judgeMarks((times) => times === 0)(run, ...rest);
    return judged.verdict === "kept" ? ended(run, kept) : judged;
  },
  executed: judgeMarks((times) => times > 0),
  executed_once: judgeMarks((times) => times === 1),
  answered: (run, { call }) => judgeAnswers(run, call),
  asks_again: (run) => {
    const last = lastScripted(run);
    if (!last) return neverAsked(run);
    if (followers(run, last).length > 0) return kept;
    return tells(run) ? notSeen("the program gave up, and its output says so") : stopped(run, last);
  },
  does_not_ask_again: (run) => {
    const last = lastScripted(run);
    if (!last) return neverAsked(run);
    const next = followers(run, last)[0];
    return next ? { verdict: "broken", exchange: numberOf(run, next) } : ended(run, kept);
  },
  tells: (run) => {
    const last = lastScripted(run);
    if (!last) return neverAsked(run);
    if (followers(run, last).length > 0 || tells(run)) return kept;
    return ended(run, stopped(run, last));
  },
  ends: (run) => {
    const last = lastScripted(run);
    if (!last) return neverAsked(run);
    return ended(run, kept);
  },
  sends_back: (run, { text = "" }) => {
    const after = lastScripted(run);
    const next = after && followers(run, after).at(-1);
    if (!next) return notSeen("the program asked nothing more");
    const wanted = text === "{prompt}" ? promptOf(run) : text;
    if (wanted === undefined) return notSeen("what the user says first stands in no word of the command");
    const isThere = next.seen.text.includes(wanted) || next.seen.text.includes(inJson(wanted));
    // Where a turn was ended before its end, what was to come back may never have been said.
    return isThere ? kept : ended(run, { verdict: "broken", exchange: numberOf(run, next), expected: wanted });
  },
  does_not_send_back: (run, { text = "" }) => {
    const after = lastScripted(run);
    const next = after ? followers(run, after) : [];
    if (next.length === 0) return notSeen("the program asked nothing more");
    const guilty = next.find(({ seen }) => seen.text.includes(text));
    return guilty ? { verdict: "broken", exchange: numberOf(run, guilty), received: text } : kept;
  },
  asks_at_most: (run, { text = "" }) => {
    const scripted = run.requests.filter(({ step }) => step !== undefined).length;
    if (scripted === 0) return neverAsked(run);
    const most = Number(text);
    // How long a program follows its model is its own choice, as long as it makes one.
    return scripted < most ? ended(run, kept) : notSeen(`after ${most} requests the probe ended it`);
  },
  keeps_secret: (run, { text = "{key}" }) => {
    const last = lastScripted(run);
    if (!last) return neverAsked(run);
    const secret = withKey(text);
    const [first, ...later] = run.requests;
    // What a program sends before the provider has said it was not taken from there.
    const guilty = first?.seen.text.includes(secret) ? undefined : later.find(({ seen }) => seen.text.includes(secret));
    if (guilty) return { verdict: "broken", exchange: numberOf(run, guilty), received: "in the body of a request" };
    if (!isPrinted(run, secret)) return kept;
    return { verdict: "broken", exchange: numberOf(run, last), received: "in what the program printed" };
  },
  traffic: (run, { requirement }, audit) => {
    const found = audit.find((one) => one.requirement === requirement);
    if (found) return { verdict: "broken", exchange: found.exchange };
    const last = lastScripted(run);
    if (!last || followers(run, last).length === 0) return notSeen("the program asked nothing more");
    const taken = whyTaken(requirement, codecs[last.seen.exchange.provider as ProviderName]); // the server has played it
    return taken === undefined ? kept : notSeen(taken);
  },
};

/** Whether the marks of the calls say that they were executed as often as they should. */
function judgeMarks(isRight: (times: number) => boolean): Check {
  return (run, { call }) => {
    const last = lastScripted(run);
    if (!last) return neverAsked(run);
    const marked = callsOf(run).filter((one) => (call === undefined || one.number === call) && one.mark !== undefined);
    if (marked.length === 0)
      return notSeen("the tool that was called leaves nothing behind that shows whether it was executed");
    const wrong = marked.find((one) => !isRight(timesOf(one)));
    if (!wrong) return kept;
    const at = run.requests.findIndex(({ answer }) => answer.calls.some(({ number }) => number === wrong.number));
    const received = `${timesOf(wrong)} times`;
    if (timesOf(wrong) > 0) return { verdict: "broken", tool: wrong.tool, exchange: at + 1, received };
    // A call that was not executed is none that was lost, if the program does not go on or says why.
    if (followers(run, run.requests[at]!).length === 0) return notSeen("the program did not go on");
    return { verdict: "broken", tool: wrong.tool, exchange: at + 1, received };
  };
}

/** How often a call was executed: a shell adds a line each time. */
function timesOf({ mark }: MadeCall): number {
  if (mark === undefined || !existsSync(mark)) return 0;
  return Math.max(
    1,
    readFileSync(mark, "utf8")
      .split("\n")
      .filter((line) => line.includes("probe")).length,
  );
}

/** Whether each call, as far as the next request has it, has one result there. */
function judgeAnswers(run: ScenarioRun, only: number | undefined): Judged {
  const caller = run.requests.find(({ answer }) => answer.calls.length > 0);
  if (!caller) return neverAsked(run);
  const [next] = followers(run, caller);
  if (!next) return tells(run) ? notSeen("the program ended, and its output says why") : stopped(run, caller);
  const { calls } = caller.answer;
  const sent = (type: "tool_call" | "tool_result", id: string) =>
    next.generic.messages.filter((message) => message.type === type && message.id === id).length;
  const results = next.generic.messages.filter(({ type }) => type === "tool_result").length;
  const before = caller.generic.messages.filter(({ type }) => type === "tool_result").length;
  if (results === before && calls.every(({ id }) => sent("tool_call", id) === 0))
    return notSeen("the program asked again without what the model had said");
  const wanted = calls.filter(({ number }) => only === undefined || number === only);
  if (results - before >= calls.length) return kept;
  const lost = wanted.find(({ id }) => sent("tool_result", id) === 0) ?? wanted.at(-1)!;
  const exchange = numberOf(run, next);
  return {
    verdict: "broken",
    exchange,
    tool: lost.tool,
    expected: `${calls.length} results`,
    received: `${results - before} results`,
  };
}

/** The last request that was answered by the scenario. */
function lastScripted({ requests }: ScenarioRun): PlayedRequest | undefined {
  return requests.findLast(({ step }) => step !== undefined);
}

/** The requests of the conversation after one, of all turns. */
function followers({ requests }: ScenarioRun, request: PlayedRequest): PlayedRequest[] {
  return requests.slice(requests.indexOf(request) + 1);
}

function callsOf({ requests }: ScenarioRun): MadeCall[] {
  return requests.flatMap(({ answer }) => answer.calls);
}

/** The word of the command that the user's first message has: the longest, if there are several. */
function promptOf({ requests, words }: ScenarioRun): string | undefined {
  const received = JSON.stringify(requests[0]?.generic.messages.filter(({ role }) => role === "user"));
  const found = words.slice(1).filter((word) => word !== "" && received?.includes(inJson(word)));
  return found.sort((one, other) => other.length - one.length)[0];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function numberOf({ requests }: ScenarioRun, request: PlayedRequest): number {
  return requests.indexOf(request) + 1;
}

function neverAsked({ exchanges }: ScenarioRun): Judged {
  return notSeen(exchanges.length === 0 ? "the program asked nothing" : "the program asked nothing with its tools");
}

/** A program that the time limit ended has not shown how it ends. */
function ended({ ends }: ScenarioRun, otherwise: Judged): Judged {
  const late = ends.find(({ timedOut }) => timedOut);
  return late
    ? notSeen(
        `the program was still running after ${Math.round(late.durationMs / 1000)} s; give it more with --timeout`,
      )
    : otherwise;
}

function stopped(run: ScenarioRun, last: PlayedRequest): Judged {
  const end = run.ends.at(-1);
  return ended(run, {
    verdict: "broken",
    exchange: numberOf(run, last),
    expected: "an exit code that is not 0, or a word about it",
    received: `exit code ${end?.code}, output ${JSON.stringify(end?.stdout.slice(-200))}`,
  });
}

/** Phrases that look like bad news, and are none. */
const goodNews = /"?is_error"?\s*[:=]\s*false|"?errors?"?\s*[:=]\s*(null|0|\[\]|false)|\b(no|0|without) errors?\b/gi;
const badNews =
  /\berrors?\b|\bfail|refus|interrupt|incomplete|truncat|cut (off|short)|overload|\bunable\b|\bcannot\b|can't|could ?n[o']t|abort|\blimit|\bretr(y|ies)|disconnect|terminated|premature|invalid|malformed|unexpected|unavailable|filter|stopped|too (long|large)|exceed|no (response|answer|output|content)|empty|\bwarn/i;

/** Whether a text stands in what the program printed. */
export function isPrinted({ ends }: ScenarioRun, text: string): boolean {
  return ends.some(({ stdout, stderr }) => stdout.includes(text) || stderr.includes(text));
}

/** Whether the program said that something went wrong: by its exit code, which is its own only where it ended by itself, or in a word. */
function tells({ ends }: ScenarioRun): boolean {
  return ends.some(
    ({ code, timedOut, stdout, stderr }) =>
      (code !== 0 && !timedOut) || badNews.test(`${stdout}\n${stderr}`.replaceAll(goodNews, "")),
  );
}
