// What `probe --install` does: fetches the pinned version of a described program.

import { commandLine } from "../kit/base/cli-name.ts";
import { readAgent } from "../probe/agent-files.ts";
import { installProgram } from "../probe/install.ts";

/** Installs the program, and says where. */
export function install(name: string): void {
  const agent = readAgent(name);
  const folder = installProgram(agent);
  console.log(
    `${agent.name} ${agent.package?.version} is in ${folder}; probe it with: ${commandLine} probe --agent ${name}`,
  );
}
