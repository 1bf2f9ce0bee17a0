// A limit: a session of 1,000 messages is long enough.

import type { Boundary } from "../../plugins/turns/steering.ts";

const most = 1000;

export const sessionSize: Boundary = ({ session }) =>
  session.messages.length >= most
    ? { do: "end", ending: { status: "stopped", stop_condition: "session_size" }, limit: "session_size" }
    : { do: "continue" };
