// Takes one turn of a run, and returns: for queues and engines in which each turn is a visit of its own.

import type { Plugin } from "../plugins/plugin.ts";
import { sessionOf, type SessionOrInput } from "../state/edit-session.ts";
import { fold, type Journal } from "../state/journal-records.ts";
import type { ResumeDecision, RunResult } from "../../schemas/types.ts";
import type { Run } from "./open-run.ts";
import type { RunSetup, RunSource } from "./setup.ts";

/** What a visit to a run needs. The journal says where the run is. */
export type TurnSetup = RunSetup & SessionOrInput & { journal: Journal; decisions?: ResumeDecision[] };

/** The turn is over, and kept: nothing more of the run is done now. */
class TurnOver extends Error {}

/** @param start starts a run */
export function turnTaker(start: (source: RunSource, setup: RunSetup) => Run) {
  return async function takeTurn(setup: TurnSetup): Promise<RunResult | undefined> {
    const { rethrow, use = [] } = setup;
    const isTurnOver = (error: unknown) => error instanceof TurnOver;
    const visited: RunSetup = {
      ...setup,
      use: [...use, oneTurn],
      rethrow: (error) => isTurnOver(error) || (rethrow?.(error) ?? false),
    };
    try {
      return await start(await sourceOf(setup), visited).result;
    } catch (error) {
      if (isTurnOver(error)) return undefined;
      throw error;
    }
  };
}

/** Begins, resumes or recovers the run, whichever the journal says. */
async function sourceOf({ journal, decisions, ...setup }: TurnSetup): Promise<RunSource> {
  const records = await journal.read();
  if (records.length === 0) return { session: sessionOf(setup) };
  const { state } = fold(records);
  return state.phase === "suspended" && decisions ? { snapshot: state, decisions } : { journal };
}

const oneTurn: Plugin = {
  name: "one-turn",
  attach({ state: { phase, turn } }) {
    const isInTurn = phase !== "turn_boundary";
    return {
      betweenTurns: {
        check(state) {
          if ((isInTurn || state.turn > turn) && !state.ending) throw new TurnOver();
          return { do: "continue" };
        },
      },
    };
  },
};
