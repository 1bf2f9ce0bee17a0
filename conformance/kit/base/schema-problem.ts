// What a schema does not allow in a value.

/** One thing in a value that a schema does not allow. */
export interface SchemaProblem {
  /** Where in the value, as a JSON Pointer. For a missing property the object, for an unknown one the property itself. */
  pointer: string;
  /** For people: what was expected and what came. */
  message: string;
  /** The keyword of JSON Schema that failed. */
  keyword: string;
}
