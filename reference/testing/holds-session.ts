// A program that opens a session, prints that it has, and keeps it open until it or its parent process is killed.

import { initSession, initState } from "../core/session.ts";
import { openStore, type StoreName } from "./open-store.ts";

const [kind, where] = process.argv.slice(2) as [StoreName, string];
process.stdin.resume().once("end", () => process.exit(1));
const { store } = await openStore(kind, where);
const session = await store.open("held");
const snapshot = initState(initSession({ id: "held", user: "Go." }), "main");
await session.append([{ type: "begin", spec_version: "1.0", snapshot }]);
process.stdout.write("held\n");
