// Checks the value of a file: against its schema, and the rules beyond it.

import type { Manifest, Session } from "../../schemas/types.ts";
import { packagePath } from "../kit/base/package-root.ts";
import { validate } from "../kit/base/validate.ts";
import type { ValueType } from "./file-types.ts";

/** Something that is wrong with a file. */
export interface FileProblem {
  pointer: string;
  message: string;
  requirement?: string;
}

/** Everything that is wrong with a value. What only some types need is loaded only for them. */
export async function checkValue(type: ValueType, value: unknown, file: string): Promise<FileProblem[]> {
  if (type === "Message[]") return await checkMessages(value);
  const problems = validate(type, value);
  if (problems.length > 0) return problems;
  if (type === "Manifest") return await checkClaims(value as Manifest, file);
  return type === "Session" ? await checkPairing(value as Session) : [];
}

async function checkMessages(value: unknown): Promise<FileProblem[]> {
  const session = { spec_version: "1.0", id: "messages", messages: value };
  const problems: FileProblem[] = validate("Session", session);
  const found = problems.length > 0 ? problems : await checkPairing(session as Session);
  return found.map((problem) => ({ ...problem, pointer: problem.pointer.replace(/^\/messages/, "") }));
}

async function checkPairing(session: Session): Promise<FileProblem[]> {
  const { checkSession } = await import("../../reference/state/check-session.ts");
  return checkSession(session);
}

/** What an agent-loop.json names and does not exist. */
async function checkClaims(manifest: Manifest, file: string): Promise<FileProblem[]> {
  const [{ readCatalogue }, { emptyClaims }] = await Promise.all([
    import("../kit/suite/catalogue.ts"),
    import("../kit/run/manifest-claims.ts"),
  ]);
  const claims = emptyClaims({ manifest, manifestFile: file }, { catalogue: readCatalogue(packagePath()) });
  return claims.map((message) => ({ pointer: "", message }));
}
