// The ways in which a driver can fail a run, as errors that name its process and its last line.

import { existsSync } from "node:fs";
import type { DriverStart } from "./types.ts";
import { quoteWord } from "./quote-word.ts";

/** The driver broke the protocol. */
export class ProtocolError extends Error {
  /** The line that broke it, cut if it is long. */
  readonly line: string;
  /** The run that the line names, if it names one. */
  readonly run: string | undefined;
  constructor(message: string, line: string, run?: string) {
    super(message);
    this.name = "ProtocolError";
    this.line = line.length > 2000 ? `${line.slice(0, 2000)}… (${line.length} characters)` : line;
    this.run = run;
  }
}

/** The driver answered a request with an error where it had to answer with a result. */
export class DriverError extends Error {
  readonly code: number;
  constructor(method: string, error: { code: number; message: string }) {
    super(`the driver answered ${method} with error ${error.code}: ${error.message}`);
    this.name = "DriverError";
    this.code = error.code;
  }
}

/** The driver process ended while it was needed. */
export class DriverCrash extends Error {
  override readonly name = "DriverCrash";
}

/** The driver was silent for too long. */
export class DriverTimeout extends Error {
  override readonly name = "DriverTimeout";
}

/** The driver failed before a valid handshake. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** An error's message, with the line that broke the protocol. */
export function withLine(error: Error): string {
  return error instanceof ProtocolError && error.line !== ""
    ? `${error.message}\n  line: ${error.line}`
    : error.message;
}

/** A message, with the end of what the driver wrote to stderr. */
export function withStderr(message: string, stderr: string): string {
  const lines = stderr.trimEnd().split("\n").slice(-8);
  return stderr.trim() === "" ? message : `${message}\n  stderr:\n${lines.map((line) => `    ${line}`).join("\n")}`;
}

/** What stdout may have where a message was meant, and why it is none. */
const noMessages: [looksLike: RegExp, why: string][] = [
  [/^\uFEFF/, "it begins with a byte order mark"],
  [/\0/, "it has NUL bytes"],
  [/^Content-Length:/i, "messages have no headers"],
  [/^\s*[[{]\s*$/, "a message is one line"],
  [/^\s*\{.*\}\s*\{.*\}\s*$/, "a line break ends each message"],
  [/[:,[]\s*-?(NaN|Infinity)\b/, "JSON has no NaN and no Infinity"],
];

/** The message for a line of stdout that is not JSON. */
export function notJson(line: string): string {
  const why = noMessages.find(([looksLike]) => looksLike.test(line))?.[1];
  const reason = why === undefined ? "" : `, for ${why}`;
  return `stdout had a line that is not JSON${reason}; a driver writes nothing but protocol messages to stdout`;
}

/** The message for a program that could not be started. */
export function startFailure(program: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === "EACCES") return `could not be started: ${program} is not executable`;
  if (code !== "ENOENT") return `could not be started: ${message}`;
  const why = existsSync(program)
    ? `the interpreter that the first line of ${program} names is not on this machine`
    : `there is no program ${program} on this machine`;
  return `could not be started: ${why} (or no such folder to start it in)`;
}

/** The error of a driver that failed before its handshake: why, and for a program how it was started. */
export function startError(cause: Error, command: DriverStart, stderr: string): StartError {
  const isTold = cause instanceof DriverCrash;
  const why = isTold ? cause.message : withStderr(withLine(cause), stderr);
  const how = typeof command === "function" ? "" : `\n  started with: ${command.argv.map(quoteWord).join(" ")}`;
  return new StartError(why + how);
}
