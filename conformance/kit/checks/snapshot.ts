// Checks what a snapshot carries: under a name that nobody else knows, state is lost as soon as another loop goes on.

import { readFileSync } from "node:fs";

import type { Failure, Snapshot } from "../../../schemas/types.ts";
import { breach } from "../base/failures.ts";
import { packagePath } from "../base/package-root.ts";
import type { Observation } from "../observed/observation.ts";

interface Names {
  fields: ReadonlySet<string>;
  counters: ReadonlySet<string>;
}

interface Properties {
  properties: Record<string, unknown> & { counters: { properties: object } };
}

let specified: Names | undefined;

/** Everything in the snapshots of a run that is for their writer alone. @see LOOP-113 */
export function checkSnapshots({ results, filled }: Observation): Failure[] {
  const failures: Failure[] = [];
  let handed: Partial<Snapshot> = filled.case.given.snapshot_on_resume ?? {};
  for (const snapshot of results.flatMap(({ result }) => result?.snapshot ?? [])) {
    const known = specifiedNames();
    failures.push(
      ...privateNames(snapshot, known.fields, handed).map((name) => privateField(`/${name}`)),
      ...privateNames(snapshot.counters, known.counters, handed.counters).map((name) =>
        privateField(`/counters/${name}`),
      ),
    );
    handed = { ...handed, ...snapshot, counters: { ...handed.counters, ...snapshot.counters } };
  }
  return failures;
}

/** Names without a dot that neither the specification has, nor the snapshot with which the run was resumed. */
function privateNames(carrier: object = {}, known: ReadonlySet<string>, handed: object = {}): string[] {
  return Object.keys(carrier).filter((name) => !known.has(name) && !name.includes(".") && !Object.hasOwn(handed, name));
}

function privateField(path: string): Failure {
  const message = `the snapshot has ${path}, which is specified nowhere: another loop does not know what it means`;
  return breach("LOOP-113", message, { path: `/result/snapshot${path}` });
}

/** The names in the schema of a snapshot. */
function specifiedNames(): Names {
  specified ??= readNames();
  return specified;
}

function readNames(): Names {
  const schema = JSON.parse(readFileSync(packagePath("schemas", "snapshot.schema.json"), "utf8")) as Properties;
  return {
    fields: new Set(Object.keys(schema.properties)),
    counters: new Set(Object.keys(schema.properties.counters.properties)),
  };
}
