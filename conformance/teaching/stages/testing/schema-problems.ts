// What is wrong with arguments, by the keywords of JSON Schema that stage 7 names, as somebody writes it who has read no more.

type Schema = Readonly<Record<string, unknown>>;

const isType: Record<string, (value: unknown) => boolean> = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  null: (value) => value === null,
};

/** A sentence for each problem, with the pointer to the value. */
export function problems(schema: Schema, value: unknown, pointer = ""): string[] {
  const { type, properties = {}, required = [], additionalProperties, items } = schema;
  const types = [type ?? []].flat() as string[];
  if (types.length > 0 && !types.some((name) => isType[name]!(value)))
    return [`${pointer}: expected ${types.join(" or ")}`];
  const isListed = (list: unknown[]) => list.some((one) => JSON.stringify(one) === JSON.stringify(value));
  const found: string[] = [];
  if (Array.isArray(schema["enum"]) && !isListed(schema["enum"])) found.push(`${pointer}: not one of those allowed`);
  if ("const" in schema && !isListed([schema["const"]])) found.push(`${pointer}: not the one allowed`);
  if (isType["object"]!(value)) {
    const given = value as Record<string, unknown>;
    for (const name of required as string[]) if (!Object.hasOwn(given, name)) found.push(`${pointer}: lacks ${name}`);
    for (const [name, one] of Object.entries(given)) {
      const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const known = (properties as Record<string, Schema>)[name];
      if (known) found.push(...problems(known, one, at));
      else if (additionalProperties === false) found.push(`${at}: not allowed`);
    }
  }
  if (Array.isArray(value) && items)
    found.push(...value.flatMap((one, index) => problems(items as Schema, one, `${pointer}/${index}`)));
  return found;
}
