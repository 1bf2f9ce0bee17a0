// A PostgreSQL server of its own for tests: on a socket in a temporary folder, without a port, ended with its parent.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** A server that is running. */
export interface PostgresServer {
  /** The folder of its socket: `new Pool({ host, user, database })`. */
  host: string;
  user: string;
  database: string;
  end(): Promise<void>;
}

/** Where the programs of PostgreSQL are; undefined, and then tests are skipped, if this machine has none. */
export const postgresPrograms = programs();

/** Why there is no server, for the name of a skipped test. */
export const noPostgres = postgresPrograms
  ? undefined
  : "no PostgreSQL here: install the package postgresql, or name the folder of initdb and postgres in POSTGRES_PROGRAMS";

/**
 * Starts a server with an empty database.
 * @param isDurable whether what it has outlives a loss of power; without that it is faster
 */
export async function startPostgres(isDurable = false): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "postgres-"));
  await chmod(folder, 0o700);
  const owner = unprivileged();
  if (owner) await chown(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder, env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" } };
  const user = "tests";
  const data = join(folder, "data");
  const made = spawnSync(
    join(postgresPrograms!, "initdb"),
    ["-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync"],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.error ?? made.stderr)}`);

  const settings = [
    `fsync=${isDurable ? "on" : "off"}`,
    "max_connections=200",
    "shared_buffers=32MB",
    "listen_addresses=",
  ];
  const server = [
    join(postgresPrograms!, "postgres"),
    "-D",
    data,
    "-k",
    folder,
    ...settings.flatMap((one) => ["-c", one]),
  ];
  // The shell ends the server when it reads a line, politely, or when its input ends, as it does however this process ends.
  const guard =
    '"$0" "$@" </dev/null & server=$!; if read -r _; then kill -TERM $server; else kill -INT $server; fi; wait $server';
  const child = spawn("/bin/sh", ["-c", guard, ...server], { ...options, stdio: ["pipe", "ignore", "pipe"] });
  const closed = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  await new Promise<void>((ready, failed) => {
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      if (log.includes("ready to accept connections")) ready();
    });
    void closed.then(() => failed(new Error(`PostgreSQL did not start: ${log}`)));
  });
  return {
    host: folder,
    user,
    database: "postgres",
    async end() {
      child.stdin.end("\n");
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function programs(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    process.env["POSTGRES_PROGRAMS"] ?? "",
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  const isComplete = (folder: string) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name)));
  return process.platform === "win32" ? undefined : folders.find((folder) => folder !== "" && isComplete(folder));
}

/** PostgreSQL refuses to run as root; where the tests do, it runs as nobody. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}
