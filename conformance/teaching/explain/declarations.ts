// Finds the declarations of a TypeScript or JavaScript file, as the index of places names them.

const pattern =
  /^(?:export )?(?:default )?(?:declare )?(?:async )?(?:function\*?|const|let|var|class|interface|type) (\w+)/;

/** What a line at the left edge declares, if it declares something. */
export function declarationOf(line: string): string | undefined {
  return pattern.exec(line)?.[1];
}
