// Paths without detours, by their text alone: no file is looked at.

/** The path without `.`, `..` and empty segments. A trailing `/` stays. @see PERMISSION-29 */
export function resolvedPath(path: string): string {
  const isAbsolute = path.startsWith("/");
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!isAbsolute) kept.push(segment); // above the root is the root
  }
  const isFolder = path.endsWith("/") && kept.length > 0;
  return `${isAbsolute ? "/" : ""}${kept.join("/")}${isFolder ? "/" : ""}`;
}
