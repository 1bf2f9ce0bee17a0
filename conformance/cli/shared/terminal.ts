// What the terminal that reads the output can do, according to the environment.

/** The part of a stream that says what it is. */
export interface Stream {
  isTTY?: boolean;
  columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether to colour. FORCE_COLOR decides where it is set; else nothing is coloured that is no terminal, or with NO_COLOR.
 * @see https://no-color.org
 * @see https://nodejs.org/api/cli.html#force_color1-2-3
 */
export function wantsColor({ isTTY }: Stream, env: Environment): boolean {
  const { FORCE_COLOR: forced } = env;
  if (forced !== undefined) return !["0", "false"].includes(forced);
  return isTTY === true && isPlain(env) === false;
}

/**
 * How wide the terminal is, if its last line may be written again and again: only where a person watches, and never
 * where escape codes are not wanted.
 */
export function liveColumns({ isTTY, columns }: Stream, env: Environment): number | undefined {
  const isCI = !["", "0", "false"].includes(env["CI"] ?? "");
  if (isTTY !== true || isCI || isPlain(env)) return undefined;
  return columns === undefined || columns < 1 ? 80 : columns;
}

/** The person or the terminal wants no escape codes. An empty NO_COLOR is ignored. */
function isPlain(env: Environment): boolean {
  return (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
}
