// Plays every scenario to the small agent program without a fault, and with each of its faults: who keeps everything is accused of
// nothing, and each fault is called by its requirement. Exit code 1 if not.

import { availableParallelism } from "node:os";
import pLimit from "p-limit";
import { plantedFaults } from "./faults.ts";
import { brokenIn, probeSmallAgent } from "./probe-small-agent.ts";

const limit = pLimit(Math.max(1, Math.floor(availableParallelism() / 2)));
const wrong: string[] = [];

for (const provider of ["anthropic-messages", "openai-chat", "openai-responses"] as const)
  for (const transport of ["sse", "json"] as const) {
    const broken = brokenIn(await probeSmallAgent({ provider, transport }));
    console.log(`${provider} ${transport}: ${broken.length === 0 ? "nothing is broken" : broken.join(", ")}`);
    if (broken.length > 0) wrong.push(`${provider} ${transport} is right, and was accused of ${broken.join(", ")}`);
  }

await Promise.all(
  plantedFaults.map(({ fault, requirement, scenario, provider }) =>
    limit(async () => {
      const timeoutMs = fault === "never-ends" ? 4000 : 60_000;
      const broken = brokenIn(await probeSmallAgent({ fault, provider, timeoutMs, scenarios: [scenario] }));
      console.log(`${broken.includes(requirement) ? "found" : "MISSED"} ${fault}: ${broken.join(", ")}`);
      if (!broken.includes(requirement)) wrong.push(`${fault} was not called ${requirement} in ${scenario}`);
    }),
  ),
);

for (const line of wrong) console.error(line);
process.exitCode = wrong.length === 0 ? 0 : 1;
