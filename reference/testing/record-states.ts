// Shows a test the state after every step of a run. Replaces the core's driver, not its steps.

import type { Ports, State } from "../core/ports.ts";

type Core = typeof import("../core/agent-loop.ts");

let look: ((state: State) => void) | undefined;

/** From now on passes every state of a run to `watcher`; without one, the core drives itself. */
export function watchStates(watcher: ((state: State) => void) | undefined): void {
  look = watcher;
}

/** The core with a driver that exposes each state. For `vi.mock("../core/agent-loop.ts", …)`. */
export function watchable(core: Core): Core {
  async function agentLoop(begun: State, ports: Ports): Promise<State> {
    const watcher = look;
    if (!watcher) return core.agentLoop(begun, ports);
    let state = begun;
    watcher(state);
    while (state.phase !== "done" && state.phase !== "suspended") {
      state = await core.step(state, ports);
      watcher(state);
    }
    return state;
  }
  return { ...core, agentLoop };
}
