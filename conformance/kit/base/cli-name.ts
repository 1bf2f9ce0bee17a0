// How a person runs the kit's command, in a checkout and where the package is installed.

/** What stands before `test`, `explain`, … on a command line that can be copied. */
export const commandLine = "npx agent-loop-spec";
