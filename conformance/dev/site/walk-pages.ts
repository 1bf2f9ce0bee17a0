// The pages of the stepper: every case, played by the reference and walked through, and a list of them.

import { html } from "../../reporters/html/markup.ts";
import type { Html } from "../../reporters/html/markup.ts";
import { runSuite } from "../../kit/run/runner.ts";
import { findDriver } from "../../kit/index.ts";
import type { NamedDriver, Suite, SuiteCase } from "../../kit/index.ts";
import { variantsOf } from "../../kit/suite/variant.ts";
import { walkBody } from "../../teaching/stepper/page.ts";
import { traceOf } from "../../teaching/stepper/play-case.ts";
import type { Trace } from "../../teaching/stepper/trace.ts";
import { transitionsOf } from "../../teaching/stepper/transitions.ts";
import { casesByArea } from "../spec-page/case-list.ts";
import { linkTo } from "../spec-page/listed.ts";
import type { SitePage } from "./site-page.ts";
import { walkAnchor } from "./standard-pages.ts";

/** With which the words and ids of the cases are made: the pages are the same each time. */
const seed = 1;

/** In each process of the reference, so that waits with a jitter are the same each time. */
const noJitter = "data:text/javascript,Math.random=()=>0.5";

/** What the reference did, by the id of the case. */
export type Traces = Map<string, Trace>;

/**
 * Plays each case once, where it can be played first.
 * @param suite all cases, or those of which pages are wanted
 */
export async function playedTraces(suite: Suite): Promise<Traces> {
  const traces: Traces = new Map();
  const driver = withoutJitter(findDriver("reference"));
  const played = { ...suite, cases: suite.cases.map(playedOnce) };
  let left = new Set(played.cases);
  // Where the first variant is none for the reference, one of the next may be.
  for (let at = 0; left.size > 0; at += 1) {
    const wanted = new Map([...left].flatMap((entry) => wantedOf(entry, at)));
    if (wanted.size === 0) break;
    const { report } = await runSuite({
      driver,
      suite: played,
      seed,
      only: ({ entry, variant }) => wanted.get(entry.id) === variant.name,
      knownFailures: null,
      details: "all",
    });
    const results = new Map(report.variants.map((result) => [result.case, result]));
    left = new Set(
      [...left].filter((entry) => {
        const result = results.get(entry.id);
        if (!result?.events?.length) return true;
        traces.set(entry.id, sameEachTime(traceOf(entry, result, "reference")));
        return false;
      }),
    );
  }
  return traces;
}

function withoutJitter(driver: NamedDriver): NamedDriver {
  const [node, ...args] = driver.command.argv;
  return { ...driver, command: { ...driver.command, argv: [node!, "--import", noJitter, ...args] } };
}

/** Where a case ends its process everywhere, a page can walk through one run: the one that nothing ends. */
function playedOnce(entry: SuiteCase): SuiteCase {
  const { given } = entry.case;
  if (given.journal?.ends === undefined) return entry;
  const { ends: _, ...journal } = given.journal;
  return { ...entry, case: { ...entry.case, given: { ...given, journal } } };
}

/** A trace in which no port of this run stands, and whose made-up ids of calls are counted. */
function sameEachTime(trace: Trace): Trace {
  const ids = new Map<string, string>();
  const counted = (id: string) => ids.get(id) ?? ids.set(id, `call_made_up_${ids.size + 1}`).get(id)!;
  const text = JSON.stringify(trace)
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1")
    .replaceAll(/call_[0-9a-f]{24}(?![0-9a-z])/g, counted);
  return JSON.parse(text) as Trace;
}

function wantedOf(entry: SuiteCase, at: number): [id: string, variant: string][] {
  const variant = variantsOf(entry.case)[at];
  return variant === undefined ? [] : [[entry.id, variant.name]];
}

/** A page for each case, and the list. */
export function walkPages(cases: readonly SuiteCase[], traces: Traces, known: ReadonlySet<string>): SitePage[] {
  const own = cases.flatMap((entry) => {
    const trace = traces.get(entry.id);
    return trace === undefined ? [] : walkPage(entry, trace, known);
  });
  const walked = new Set(own.map(({ anchor }) => anchor));
  return [listPage(cases, walked), ...own];
}

function walkPage(entry: SuiteCase, trace: Trace, known: ReadonlySet<string>): SitePage[] {
  const transitions = transitionsOf(trace);
  if (transitions.length === 0) return [];
  const area = entry.id.slice(0, entry.id.indexOf("/"));
  const idOf = (id: string) => (known.has(id) ? linkTo.requirement(id) : html`<code>${id}</code>`);
  return [
    {
      path: `step/${entry.id}.html`,
      title: entry.id,
      anchor: walkAnchor(entry.id),
      part: "stepper",
      kind: "walk",
      body: html`<nav class="crumbs" aria-label="Where this is">
          <a href="#step">Every case</a> › <a href="#cases/${area}">${area}</a> › ${linkTo.case(entry.id)}
        </nav>
        ${walkBody(trace, transitions, idOf)}`,
    },
  ];
}

function listPage(cases: readonly SuiteCase[], walked: ReadonlySet<string>): SitePage {
  return {
    path: "step/index.html",
    title: "Every case, step by step",
    anchor: "step",
    part: "stepper",
    body: html`<p>
        The reference played each case; the kit played the other side. A walk shows what the loop decided, by which
        sentence, what it sent, and what came back.
      </p>
      ${[...casesByArea(cases)].map(
        ([area, some]) =>
          html`<details class="group" open>
            <summary><h3 id="step/${area}">${area}</h3></summary>
            <ul>
              ${some.map((entry) => html`<li>${listed(entry, walked)} ${entry.case.title.replaceAll("`", "")}</li> `)}
            </ul>
          </details> `,
      )}`,
    below: [...casesByArea(cases).keys()].map((area) => ({ title: area, anchor: `step/${area}`, below: [] })),
  };
}

function listed({ id }: SuiteCase, walked: ReadonlySet<string>): Html {
  const anchor = walkAnchor(id);
  return walked.has(anchor)
    ? html`<a href="#${anchor}"><code>${id}</code></a>`
    : html`<code>${id}</code> <small>not played by the reference</small>`;
}
