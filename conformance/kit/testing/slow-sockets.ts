// Loaded into a driver before it starts: whatever goes over its TCP connections takes its time, its stdio does not.

import { Socket } from "node:net";

/** How long everything takes, in milliseconds. */
const delayMs = 100;

interface Written {
  _write(chunk: unknown, encoding: unknown, done: unknown): void;
  _writev(chunks: unknown, done: unknown): void;
}

const { push } = Socket.prototype;
const { _write: write, _writev: writev } = Socket.prototype as unknown as Written;

const isOnWire = (socket: Socket) => socket.connecting || socket.remoteAddress !== undefined;

Object.assign(Socket.prototype, {
  push(this: Socket, ...args: Parameters<typeof push>) {
    if (!isOnWire(this)) return push.apply(this, args);
    setTimeout(() => push.apply(this, args), delayMs);
    return true;
  },
  _write(this: Socket, ...args: Parameters<Written["_write"]>) {
    if (!isOnWire(this)) return write.apply(this as never, args);
    setTimeout(() => write.apply(this as never, args), delayMs);
  },
  _writev(this: Socket, ...args: Parameters<Written["_writev"]>) {
    if (!isOnWire(this)) return writev.apply(this as never, args);
    setTimeout(() => writev.apply(this as never, args), delayMs);
  },
});
