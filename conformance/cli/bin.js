#!/usr/bin/env node
// Starts the command line: from the sources in a checkout, where there are some, else from the build.

import { existsSync } from "node:fs";

const source = new URL("./main.ts", import.meta.url);
await import(existsSync(source) ? source.href : new URL("../../dist/conformance/cli/main.js", import.meta.url).href);
