#!/usr/bin/env node
// Starts the command line: from the sources in a checkout, where there are some, else from the build. Runs on any Node, to say which it needs.

import { existsSync, readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const [major, minor] = engines.node.match(/\d+/g).map(Number);
const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`agent-loop-spec needs Node ${major}.${minor} or later; this is Node ${process.versions.node}.`);
  process.exitCode = 2;
} else {
  const source = new URL("./main.ts", import.meta.url);
  await import(existsSync(source) ? source.href : new URL("../../dist/conformance/cli/main.js", import.meta.url).href);
}
