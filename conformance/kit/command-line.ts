// How a person runs the kit's command from where the kit is: from its sources, or installed.

/** What stands before `test`, `explain`, … on a command line that can be copied. */
export const commandLine = import.meta.url.endsWith(".ts") ? "npm run agent-loop --" : "npx agent-loop";
