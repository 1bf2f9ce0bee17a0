// Explains a profile that is no feature and no provider: what it requires, and how to be certified for it.

import { commandLine } from "../../kit/base/cli-name.ts";
import type { Kind } from "./kind.ts";
import { tableOf } from "./spec-tables.ts";

export const profileKind: Kind = {
  called: "a profile",
  names: () => ["core", "providers"],
  *explain(name) {
    yield `${name}, a profile  requires ${tableOf("kit/conformance", "profile").get(name)!.get("requires")}`;
    yield `  Is it kept? ${commandLine} coverage --driver <driver> --profile ${name}`;
  },
};
