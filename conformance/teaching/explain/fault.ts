// Explains a fault of the kill matrix: what a user would see, which requirement it breaks, and the edit.

import { commandLine } from "../../kit/base/cli-name.ts";
import { editLines } from "../faults/edit.ts";
import { codeOf, readFaults } from "../faults/faults.ts";
import type { Kind } from "./kind.ts";
import { listed, listedRequirements } from "./lists.ts";
import { indexedPlaces } from "./where.ts";

export const faultKind: Kind = {
  called: "a fault of the kill matrix",
  names: () => readFaults().map(({ id }) => id),
  *explain(name, sources) {
    const fault = readFaults().find(({ id }) => id === name)!;
    yield `${name}  ${fault.seen}`;
    yield* listedRequirements("Breaks", [sources.suite.catalogue.requirements.get(fault.requirement)!], sources);
    yield* listed("The edit", [...editLines(fault, indexedPlaces(name)[0])]);
    yield `  As a puzzle: ${commandLine} quiz ${codeOf(fault)}`;
  },
};
