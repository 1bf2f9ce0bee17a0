// Plays every scenario to the small agent with each fault that belongs to one scenario alone: that one shows it by its requirement, and
// no other shows anything. Exit code 1 if not. Names of faults, if there are any, choose among them.

import { plantedFaults } from "./faults.ts";
import { probeSmallAgent } from "./probe-small-agent.ts";

const chosen = process.argv.slice(2);

for (const { fault, requirement, scenario, provider } of plantedFaults.filter(({ alone }) => alone)) {
  if (chosen.length > 0 && !chosen.includes(fault)) continue;
  const judged = await probeSmallAgent({ fault, provider });
  const broken = judged.flatMap(({ name, findings }) =>
    findings.filter(({ verdict }) => verdict === "broken").map((finding) => ({ name, ...finding })),
  );
  const others = [...new Set(broken.map(({ name }) => name))].filter((name) => name !== scenario);
  const isFound = broken.some((one) => one.name === scenario && one.requirement === requirement);
  if (!isFound || others.length > 0) process.exitCode = 1;
  const what = broken.filter(({ name }) => name === scenario).map((one) => one.requirement);
  const beside = others.length === 0 ? "" : `; ALSO IN ${others.join(", ")}`;
  console.log(`${isFound ? "found" : "MISSED"} ${fault}: ${what.join(", ")} in ${scenario}${beside}`);
}
