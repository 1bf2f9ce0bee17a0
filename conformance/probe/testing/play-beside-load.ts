// Plays scenarios to the small agent program without a fault, beside busy loops: the most time-sensitive ones twenty times, all of them
// three times. Who keeps everything is accused of nothing, however slow the machine is. Exit code 1 if not.

import { Worker } from "node:worker_threads";
import type { ProviderName } from "../../kit/wire/codec.ts";
import { countVerdicts } from "./count-verdicts.ts";
import { probeSmallAgent } from "./probe-small-agent.ts";

/** Those in which something has to happen at its moment. */
const timeSensitive = [
  ...["sigint", "sigterm", "sigkill"].flatMap((signal) =>
    ["model", "tool"].map((when) => `interrupt/${signal}-${when}`),
  ),
  ...["rate-limit-without-time", "overloaded-after-tools", "lost-in-call", "call-before-end"].map(
    (name) => `network/${name}`,
  ),
];
const providers: readonly ProviderName[] = ["anthropic-messages", "openai-chat", "openai-responses"];

const hogs = [1, 2].map(() => new Worker("for (;;);", { eval: true }));
const broken: string[] = [];
const total = { runs: 0, kept: 0, notSeen: 0, notApplicable: 0 };

async function play(times: number, scenarios?: readonly string[]): Promise<void> {
  for (let at = 0; at < times; at++) {
    const provider = providers[at % providers.length]!;
    const judged = await probeSmallAgent({ provider, jobs: 5, ...(scenarios && { scenarios }) });
    const { kept, notSeen, notApplicable, broken: found } = countVerdicts(judged);
    total.runs += judged.length;
    total.kept += kept;
    total.notSeen += notSeen;
    total.notApplicable += notApplicable;
    broken.push(...found.map((line) => `${provider} ${line}`));
    console.log(`${total.runs} runs: ${broken.length} broken, ${total.kept} kept`);
  }
}

await play(20, timeSensitive);
const sensitive = total.runs;
await play(3);
console.log(
  `${sensitive} runs of the ${timeSensitive.length} time-sensitive scenarios, ${total.runs - sensitive} of all: ${broken.length} broken, ${total.kept} kept, ${total.notSeen} not seen, ${total.notApplicable} not applicable`,
);
for (const line of broken) console.error(line);
process.exitCode = broken.length === 0 ? 0 : 1;
await Promise.all(hogs.map((hog) => hog.terminate()));
