// Runs a command where nothing but this machine can be reached: in a network namespace with loopback only, where the system permits.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const mark = "AGENT_LOOP_PROBE_OFFLINE";

/** What brings loopback up in a new namespace: whichever of these is there. */
const loopbackUp = [
  "ip link set lo up",
  "ifconfig lo up",
  "busybox ip link set lo up",
  `python3 -c 'import fcntl,socket,struct;fcntl.ioctl(socket.socket(),0x8914,struct.pack("16sh",b"lo",0x41))'`,
];

/** Whether this process is in such a namespace. */
export function isOffline(): boolean {
  return process.env[mark] === "1";
}

/** The command that runs a command offline, or why there is none. @see PROBE-4 */
export function offlineCommand(
  command: readonly string[],
): { command: string[]; environment: Record<string, string> } | { refused: string } {
  if (process.platform !== "linux") return { refused: `${process.platform} has no network namespaces` };
  for (const unshare of [
    ["unshare", "-n"],
    ["unshare", "-rn"],
  ]) {
    for (const up of loopbackUp) {
      const wrapped = [...unshare, "sh", "-c", `${up} 2>/dev/null && exec "$@"`, "sh"];
      const { status } = spawnSync(wrapped[0]!, [...wrapped.slice(1), "true"], { stdio: "ignore" });
      if (status === 0) return { command: [...wrapped, ...command], environment: { [mark]: "1" } };
    }
  }
  return {
    refused: "`unshare -n` is not permitted or not there, or nothing brings up loopback (ip, ifconfig or python3)",
  };
}

/** How many packets were for other machines since the namespace began; 0 outside of one. */
export function outsideAttempts(): number {
  if (!isOffline()) return 0;
  try {
    const [names = "", values = ""] = readFileSync("/proc/self/net/snmp", "utf8")
      .split("\n")
      .filter((line) => line.startsWith("Ip:"));
    const at = names.split(" ").indexOf("OutNoRoutes");
    return Number(values.split(" ")[at] ?? 0);
  } catch {
    return 0;
  }
}
