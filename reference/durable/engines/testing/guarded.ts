// A server for a test, which ends with this process, however this one ends.

import { spawn, type ChildProcess } from "node:child_process";

/** The shell ends the server when its own input ends. */
const guard = '"$0" "$@" </dev/null & server=$!; read -r _; kill -KILL $server; wait $server 2>/dev/null';

/** Its input is to be ended to end the server. What it says on its error output is shown. */
export function startGuarded(program: string, given: string[], env: Record<string, string>): ChildProcess {
  return spawn("/bin/sh", ["-c", guard, program, ...given], {
    stdio: ["pipe", "ignore", "inherit"],
    env: { PATH: process.env["PATH"], ...env },
  });
}
