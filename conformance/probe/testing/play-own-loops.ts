// Plays every scenario to each of the project's own loops, in every format: none of them breaks anything. Exit code 1 if one does.

import { providerNames } from "../../kit/wire/provider-names.ts";
import { countVerdicts } from "./count-verdicts.ts";
import { ownLoops, probeOwnLoop, whyNotHere } from "./own-loops.ts";

const chosen = process.argv.slice(2);

for (const loop of ownLoops.filter((name) => chosen.length === 0 || chosen.includes(name))) {
  const missing = whyNotHere(loop);
  if (missing !== undefined) {
    console.log(`${loop}: not run, ${missing}`);
    continue;
  }
  for (const provider of providerNames)
    for (const transport of ["sse", "json"] as const) {
      const judged = await probeOwnLoop({ loop, provider, transport, jobs: 4 });
      const { kept, notSeen, notApplicable, broken } = countVerdicts(judged);
      console.log(
        `${loop} ${provider} ${transport}: ${broken.length} broken, ${kept} kept, ${notSeen} not seen, ${notApplicable} not applicable`,
      );
      for (const line of broken) console.error(`  ${line}`);
      if (broken.length > 0) process.exitCode = 1;
    }
}
