// What a driver is to the kit: how it is started, what is heard of it, and its end of the conversation.

/** How to start a driver. */
export interface DriverCommand {
  /** Program and arguments. */
  argv: [string, ...string[]];
  /** Absent: the kit's own. */
  cwd?: string;
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

/** Who hears what the process does. */
export interface ProcessListener {
  line(line: string): void;
  /** A line that cannot be read, or an end of the streams while the process lives. Nothing more can come of it. */
  unreadable(why: string, line: string): void;
  exit(exit: DriverExit): void;
}

/** The driver's end of the conversation, wherever it runs. */
export interface DriverEnd {
  /** Absent where it is no process of its own, or could not be started. */
  readonly pid: number | undefined;
  /** The end of what the driver wrote to stderr. */
  readonly stderr: string;
  /** What may be the reason why nothing came, as the end of a sentence; empty where none is known. */
  readonly silence: string;
  /** Writes one line. */
  write(line: string): void;
  /** Lets it end, and ends it. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Opens a driver that is code in this process. */
export type OpenDriver = (listener: ProcessListener) => DriverEnd;

/** A program to start, or code to open. */
export type DriverStart = DriverCommand | OpenDriver;
