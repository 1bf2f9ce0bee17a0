// How deep JSON from elsewhere may be nested: what is far deeper overflows the stack of whatever walks through it.

/** The most levels of objects and lists. */
export const maxLevels = 500;

/** Whether a value has more levels than that, or than are given. It does not overflow the stack itself. */
export function isTooDeep(value: unknown, most = maxLevels): boolean {
  let level = [value];
  for (let depth = 0; depth <= most && level.length > 0; depth += 1)
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  return level.length > 0;
}
