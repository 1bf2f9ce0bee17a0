// Refuses requests that a web page of somebody else sends: by a name that leads to this machine, or from its own origin.

import type { IncomingHttpHeaders } from "node:http";

/** The names of this machine, and the port where one is given. */
const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d+))?$/i;
const loopbackOrigin = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;
const names = "127.0.0.1, localhost or [::1]";

/**
 * Why a model request is not answered; nothing if it may come from a program of this machine. Any port is right, as one that was
 * forwarded has another number.
 * @see REPLAY-12
 */
export function modelRefusal({ host, origin, ...headers }: IncomingHttpHeaders): string | undefined {
  if (!loopback.test(host ?? "")) return wrongHost(`the name ${names}`, host);
  if (origin !== undefined && !loopbackOrigin.test(origin)) return wrongOrigin(`one of ${names}`, origin);
  if (origin === undefined && headers["sec-fetch-site"] === "cross-site")
    return "expected a program of this machine, got a web page of another site, as its browser says; call the server from a program";
  return undefined;
}

/**
 * Why a request about tapes is not answered; nothing if it comes from a program that knows where this server listens.
 * @see REPLAY-12
 */
export function controlRefusal({ host = "", origin }: IncomingHttpHeaders, port: number): string | undefined {
  const found = loopback.exec(host);
  if (!found || Number(found[1] ?? 80) !== port) return wrongHost(`${names}, with the port ${port}`, host);
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return wrongOrigin("none, or that of this server", origin);
  return undefined;
}

function wrongHost(expected: string, host: string | undefined): string {
  return `Host: expected ${expected}, got ${shown(host)}; use the base URL that the server printed`;
}

function wrongOrigin(expected: string, origin: string): string {
  return `Origin: expected ${expected}, got ${shown(origin)}; call the server from a program, not from a web page`;
}

function shown(value: string | undefined): string {
  return value ? JSON.stringify(value.slice(0, 100)) : "none";
}
