// Who decides about the valid calls of a run: its permissions, and whoever is asked where these do not know. Plugs into `decide`.

import type { RunSetup } from "../../run/run.ts";
import { toolOf } from "../../tools/agents.ts";
import { askInProcess, decided, suspend, type Approve } from "./approval.ts";
import { plainPoints } from "../../core/agent-loop.ts";
import type { ExecutableCall, Ports, State } from "../../core/ports.ts";
import { permit } from "./permissions.ts";
import type { Agent, RunOptions } from "../../../schemas/types.ts";
import { validateInput } from "../../tools/validate-input.ts";

/** @see PERMISSION-1 PERMISSION-11 */
export function deciding(
  { permissions }: RunOptions,
  { approve, classify }: RunSetup,
  agents: Record<string, Agent>,
  signal: AbortSignal,
): Ports["decide"] {
  if (!permissions) return plainPoints.decide;
  const schemaOf = ({ name }: ExecutableCall, { agent }: State) => toolOf(agents, agent, name).input_schema;
  const inProcess = (approver: Approve) =>
    askInProcess(approver, signal, (call, state, approval) =>
      decided(call, approval, (input) => validateInput(schemaOf(call, state), input)),
    );
  return permit({ permissions, agents, classify, ask: approve ? inProcess(approve) : suspend });
}
