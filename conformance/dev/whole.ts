// What only a whole test of the project does: `npm test -- --whole`, which is what CI runs. `npm test` leaves it out, single tests as skipped.

/** The variable that the tests read. For one file: AGENT_LOOP_TESTS=whole npx vitest run … <file> */
export const wholeVariable = "AGENT_LOOP_TESTS";

/** Whether everything is tested. A test that needs a minute of a processor has a smaller one beside it, and runs only if this is so. */
export const isWhole = process.env[wholeVariable] === "whole";
