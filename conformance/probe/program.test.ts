// What a program has written is known when it has ended, however busy whoever reads it was.

import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { Program } from "./program.ts";

const start = (...command: string[]) =>
  new Program({ command, folder: tmpdir(), environment: { PATH: process.env["PATH"]! }, timeoutMs: 60_000 });

/** As under load: what has come meanwhile is all there at once. */
function beBusy(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

it.each(["stdout", "stderr"] as const)("all of %s is read when the program has ended", async (name) => {
  const to = name === "stdout" ? "" : ">&2";
  const program = start(
    "/bin/sh",
    "-c",
    `i=0; while [ $i -lt 2000 ]; do echo "line $i" ${to}; i=$((i+1)); done; exit 3`,
  );
  beBusy(500);
  const ended = await program.ended;
  expect([ended.code, ended[name].trimEnd().split("\n").at(-1)]).toEqual([3, "line 1999"]);
});

it("a process that a program left behind, with its streams, keeps nobody waiting", async () => {
  const { code, stdout } = await start("/bin/sh", "-c", "echo begun; sleep 1000 & exit 0").ended;
  expect([code, stdout]).toEqual([0, "begun\n"]);
});
