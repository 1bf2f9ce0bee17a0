// Says where arguments break the schema of their tool in a way about which nobody can disagree: something required is missing, or of another type.

type Fields = Record<string, unknown>;

/** What is wrong with the arguments; nothing where it takes a whole validator to say. */
export function brokenSchema(input: Fields, schema: unknown): string | undefined {
  const { required, properties } = (schema ?? {}) as { required?: unknown; properties?: Fields };
  const missing = (Array.isArray(required) ? required : []).find((name) => !Object.hasOwn(input, String(name)));
  if (missing !== undefined) return `${missing} is missing`;
  for (const [name, value] of Object.entries(input)) {
    const wanted = Object.hasOwn(properties ?? {}, name) ? typeIn(properties?.[name]) : undefined;
    // Many servers and schemas take null for what is left out.
    if (value !== null && wanted !== undefined && !isOfType[wanted]!(value)) return `${name} is no ${wanted}`;
  }
  return undefined;
}

/** Types that a schema says and nothing beside it changes: one name, no alternatives. */
function typeIn(schema: unknown): string | undefined {
  const { type } = (schema ?? {}) as Fields;
  return typeof type === "string" && Object.hasOwn(isOfType, type) ? type : undefined;
}

const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
