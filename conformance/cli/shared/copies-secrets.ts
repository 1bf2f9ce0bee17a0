// What the help of a command says that makes a file of another one and looks for nothing in it.

import { commandLine } from "../../kit/base/cli-name.ts";

/** The end of the help of such a command. */
export const copiesSecrets = `
What the file says is copied as it stands, secrets too. Before you publish
what was made of it, look at it, and scan it:
  ${commandLine} scan <file>`;
