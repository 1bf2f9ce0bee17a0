// What only a whole test of the project does: `npm test -- --whole`, which is what CI runs. `npm test` leaves it out, single tests as skipped.

/** The variable that the tests read. For one file: AGENT_LOOP_TESTS=whole npx vitest run … <file> */
export const wholeVariable = "AGENT_LOOP_TESTS";

/** Whether everything is tested. What is too slow for `npm test` runs only if this is so, or at length. */
export const isWhole = process.env[wholeVariable] === "whole";
