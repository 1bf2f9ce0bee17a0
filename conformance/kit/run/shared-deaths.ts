// What a driver did while several runs were in flight: where none of them does it alone, it is found all the same.

import type { Failure, FailureCode, VariantResult } from "../../../schemas/types.ts";
import { failureOf } from "./verdicts.ts";

/** Codes of a failure that ends a driver, whichever run it was in. */
const fatalCodes: readonly FailureCode[] = ["driver_crashed", "driver_timeout", "protocol_error"];

/** The verdicts so far. */
export interface SharedResults {
  /** Of a variant that was selected; absent: it has none. */
  at(index: number): VariantResult | undefined;
  /** Adds to what is wrong in a variant. */
  blame(index: number, failure: Failure): void;
  /** The kit failed while it played the variant. */
  kitFailed(index: number, error: Error): void;
}

/** The deaths of a driver that nobody could be blamed for at once. @see KIT-29 */
export class SharedDeaths {
  readonly #indexesOf = new Map<Error, number[]>();

  /** A variant was in flight, and others beside it, when the driver died of this error. */
  add(error: Error, index: number): void {
    this.#indexesOf.set(error, [...(this.#indexesOf.get(error) ?? []), index]);
  }

  /** Says of each death that nobody repeats alone that it happened, in the first of the variants that were in flight. */
  blame(results: SharedResults): void {
    for (const [error, indexes] of this.#indexesOf) {
      const inFlight = indexes.toSorted((left, right) => left - right).flatMap((index) => results.at(index) ?? []);
      if (inFlight.some(diesAlone)) continue;
      const first = Math.min(...indexes);
      const failure = failureOf(error);
      if (!failure) results.kitFailed(first, error);
      else
        results.blame(first, {
          code: "crashed_beside_others",
          requirement: "DRIVER-27",
          message: describe(failure, inFlight),
        });
    }
  }
}

function diesAlone({ failures = [] }: VariantResult): boolean {
  return failures.some(({ code }) => fatalCodes.includes(code));
}

function describe({ message, code }: Failure, inFlight: readonly VariantResult[]): string {
  const names = inFlight.map(({ check, variant }) => `${check} ${variant}`).join(", ");
  return `${message}\n  ${code} while ${inFlight.length} runs were in flight, none of which fails so alone: ${names}`;
}
