// Finds where a run starts: on a session, at its suspension, or where its process ended; or why it must not start.

import type { EventBody, Ports, State } from "../core/ports.ts";
import { initState, SPEC_VERSION } from "../core/session.ts";
import type { Folded } from "../state/journal-records.ts";
import { withoutDefaults } from "./known-options.ts";
import { readKept, recovered, resumeRefused, startRefused } from "./recover.ts";
import {
  agentsOf,
  misconfigured,
  mixedAgents,
  resolveAgents,
  type ResolvedAgent,
  type ResolvedAgents,
} from "../tools/agents.ts";
import { resumeState } from "./resume.ts";
import { wellFormed } from "../support/well-formed.ts";
import { toolHashes, toolWarnings } from "../state/tool-hashes.ts";
import type { LoopError, RunOptions, Snapshot } from "../../schemas/types.ts";
import { validateLike } from "../tools/standard-schema.ts";
import type { RunSource, RunSetup } from "./setup.ts";
import { clone } from "../support/clone.ts";

export interface StartingState {
  /** As of the start of the run. */
  agents: ResolvedAgents;
  /** The state from which the run continues; if it is refused, the unchanged state. */
  state: State;
  refused?: LoopError | undefined;
  /** The contents of the journal. */
  folded?: Folded | undefined;
  /** Warnings about changed tools. */
  warnings: EventBody[];
}

/** Reads the source and modifies nothing. Never throws. */
export async function begin(
  source: RunSource,
  setup: RunSetup,
  signal: AbortSignal,
  validateInput: Ports["validateInput"],
): Promise<StartingState> {
  const agents = resolveAgents(agentsOf(setup));
  const start = await stateOf(source, setup, agents, signal, validateInput);
  start.state.counters ??= {}; // shared by every state of the run
  validateOutputAs(start.state, setup);
  return {
    ...start,
    agents,
    refused: start.refused ?? mixedAgents(setup) ?? misconfigured(start.state, agents.agents),
  };
}

/** A snapshot has a copy of the form of the output, without the library that validates it. */
function validateOutputAs({ options }: State, setup: RunSetup): void {
  const [kept, given] = [options.output_format, setup.options?.output_format];
  if (kept && given && kept !== given && kept.name === given.name) validateLike(kept.schema, given.schema);
}

async function stateOf(
  source: RunSource,
  setup: RunSetup,
  { agents, definitions, makes, make }: ResolvedAgents,
  signal: AbortSignal,
  validateInput: Ports["validateInput"],
): Promise<Omit<StartingState, "agents">> {
  const kept = await readKept(setup.journal);
  const { folded, unreadable, begun } = kept;
  if ("session" in source) {
    const active = setup.agent ?? Object.keys(agents)[0] ?? "main";
    const options = withoutDefaults({ ...setup.options, ...agents[active]?.limits });
    const { session } = source;
    const state = initState({ ...session, messages: wellFormed(session.messages) }, active, options); // [SESSION-33]
    if (setup.context) state.context = clone(setup.context);
    return { state, folded, refused: startRefused(kept, state.session.id), warnings: [] };
  }
  if ("snapshot" in source) {
    const { snapshot, decisions } = source;
    const unmade = await make(snapshot, snapshot.turn, signal);
    if (unmade) return { state: clone(snapshot), refused: unmade, warnings: [] };
    const resumed = await resumeState(snapshot, decisions, definitions, validateInput);
    if ("refused" in resumed) return { state: clone(snapshot), refused: configuration(resumed.refused), warnings: [] };
    const [{ agent: first } = snapshot] = snapshot.steps;
    const state = withOptions(resumed.state, setup.options, agents[first]);
    return { state, folded, refused: resumeRefused(kept, snapshot), ...(await drift(snapshot)) };
  }
  if (!folded) {
    const session = begun?.session ?? { spec_version: SPEC_VERSION, id: "unknown", messages: [] };
    const nothing = initState(session, begun?.agent ?? setup.agent ?? "main");
    const refused = unreadable ?? configuration("The journal is empty: there is no run to recover.");
    return { state: nothing, refused, warnings: [] };
  }
  const isInTurn = folded.state.phase !== "turn_boundary" && folded.state.phase !== "done";
  const unmade = isInTurn ? await make(folded.state, folded.state.turn, signal) : undefined;
  return { state: recovered(folded, definitions), folded, refused: unmade, ...(await drift(folded.state)) };

  async function drift(state: Snapshot): Promise<Pick<StartingState, "warnings">> {
    const isKnown = !makes(state.agent) || state.phase !== "turn_boundary"; // between two turns they are not made yet
    return { warnings: state.tools && isKnown ? toolWarnings(state, await toolHashes(definitions[state.agent])) : [] };
  }
}

/**
 * The state with the options that the caller gives to the resumed run: they replace those of the same names in the snapshot. The
 * limits of the agent with which the run began replace both.
 * @see LOOP-102 LOOP-128
 */
function withOptions(state: State, given: RunOptions | undefined, agent: ResolvedAgent | undefined): State {
  return given ? { ...state, options: withoutDefaults({ ...state.options, ...given, ...agent?.limits }) } : state;
}

/** The state of a refused run: it ends before its first step. */
export function halted({ ending: _, ...state }: State): State {
  return { ...state, phase: "turn_boundary" };
}

function configuration(message: string): LoopError {
  return { kind: "configuration", message };
}
