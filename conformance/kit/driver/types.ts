// What a driver is to the kit: how it is started, what the kit receives from it, and its end of the connection.

/** How to start a driver. */
export interface DriverCommand {
  /** Program and arguments. */
  argv: [string, ...string[]];
  /** Absent: the kit's own. */
  cwd?: string;
  /** Environment variables beside those that every driver is given. */
  env?: Readonly<Record<string, string>>;
}

/** How a driver process ended. */
export interface DriverExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started, if it could not. */
  spawnError?: string;
  /** What stood on stdout after the last line break. */
  halfLine: string;
}

/** Receives the output and the exit of the process. */
export interface ProcessListener {
  line(line: string): void;
  /** An unreadable line, or closed streams while the process is alive. The driver is unusable from then on. */
  unreadable(why: string, line: string): void;
  exit(exit: DriverExit): void;
}

/** The driver's end of the conversation, wherever it runs. */
export interface DriverEnd {
  /** Absent where it is no process of its own, or could not be started. */
  readonly pid: number | undefined;
  /** The end of what the driver wrote to stderr. */
  readonly stderr: string;
  /** A possible reason for the silence, as the end of a sentence; empty if none is known. */
  readonly silence: string;
  /** Writes one line. */
  write(line: string): void;
  /** Lets it end, and ends it. Resolves to how it ended, where it is a process that did so by itself. */
  stop(): Promise<DriverExit | undefined>;
  kill(): Promise<void>;
}

/** Opens a driver that is code in this process. */
export type OpenDriver = (listener: ProcessListener) => DriverEnd;

/** A program to start, or code to open. */
export type DriverStart = DriverCommand | OpenDriver;
