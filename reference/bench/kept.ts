// Measures what calls leave in memory: `npm run bench:kept`. Each adapter, whole and streamed, with faults and cancels among them.

import { measureKeptApart, startFates, wrongWith } from "./kept-processes.ts";
import { areWhole, readOptions, refuse } from "./options.ts";
import { wires } from "./wires.ts";

const usage = `npm run bench:kept -- [options]

The bytes that a call leaves on the heap and in buffers once its run has ended, of each adapter and transport, in a process of
its own. Of 20 calls, one each is refused, broken off, stalled and cancelled, unreadable, and cancelled as soon as it is made.
Ends with 1 if a call leaves 1,000 bytes or more, a listener on a signal that all runs share, or more sockets than there were.

  --calls <n>  20000
`;

const options = readOptions(usage, { calls: { type: "string", default: "20000" } });
if (!areWhole(options.calls) || options.calls.includes(","))
  refuse(usage, `--calls takes one whole number from 1, not ${options.calls}`);

const server = await startFates();
try {
  for (const wire of wires)
    for (const transport of ["json", "sse"] as const) {
      const kept = await measureKeptApart({ wire, transport, calls: Number(options.calls), url: server.url });
      const wrong = wrongWith(kept);
      const { bytes, listeners, sockets, socketsBefore } = kept;
      const shown = `${Math.round(bytes)} bytes a call, ${listeners} listeners, ${socketsBefore} → ${sockets} sockets`;
      console.log(`${wrong.length === 0 ? "ok    " : "MISSED"} ${wire} ${transport}: ${shown}`);
      for (const problem of wrong) console.log(`       ${problem}`);
      if (wrong.length > 0) process.exitCode = 1;
    }
} finally {
  server.stop();
}
