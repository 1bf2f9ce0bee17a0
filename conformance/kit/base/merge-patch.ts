// A JSON value with a merge patch applied to it (RFC 7396).

/** The patched value; neither argument is modified. A member that is null in the patch is removed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const patched = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete patched[name];
    else patched[name] = mergePatch(patched[name], value);
  }
  return patched;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
