// Tells names that somebody made for himself from those of the specification.

/** What such a name looks like; schemas/extension.schema.json has the same. */
const pattern = /^[a-z0-9-]+([.][a-z0-9_-]+)+$/;

/** Whether a name is one that the specification never defines, such as `com.example.paused`. */
export function isExtension(name: string): boolean {
  return pattern.test(name);
}
