// What `probe --install` does: fetches the pinned version of a described program.

import { commandLine } from "../kit/base/cli-name.ts";
import { readAgent } from "../probe/agent-files.ts";
import { installProgram } from "../probe/install.ts";
import { sayWhenInterrupted } from "./shared/interrupted.ts";

/** Installs the program, and says where. */
export async function install(name: string): Promise<void> {
  const agent = readAgent(name);
  const takeBack = sayWhenInterrupted(() => `before ${agent.name} was installed; the same command begins again`);
  const folder = await installProgram(agent);
  takeBack();
  console.log(
    `${agent.name} ${agent.package?.version} is in ${folder}; probe it with: ${commandLine} probe --agent ${name}`,
  );
}
