// Reads what a built module declares and exports, with the comment of each: from the text that tsc writes, which is always formatted alike.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Something that a package exports. */
export interface Declared {
  name: string;
  /** Its comment, without the stars. */
  text: string;
  /** Its declaration, with the comments of its members. */
  code: string;
}

/** What a module exports, in order. Types that it hands on as a whole (`export type *`) are left out. */
export function exportsOf(file: string, read = readDeclarations): Declared[] {
  return statementsOf(read(file)).flatMap(({ text, code }) => {
    const whole = /^export \* from "([^"]+)";/.exec(code);
    if (whole) return exportsOf(declarationsAt(file, whole[1]!), read);
    const list = /^export (?:type )?\{([^}]*)\} from "([^"]+)";/.exec(code);
    if (list) return handedOn(list[1]!, declarationsAt(file, list[2]!), read);
    const name = /^export (?:declare )?(?:abstract )?(?:const|function|class|interface|type|enum) (\w+)/.exec(
      code,
    )?.[1];
    return name === undefined ? [] : [{ name, text, code }];
  });
}

/** The names of a list, each as it is declared in another module. */
function handedOn(list: string, file: string, read: typeof readDeclarations): Declared[] {
  const declared = Map.groupBy(declaredIn(file, read), ({ name }) => name);
  return list
    .split(",")
    .map((one) => one.trim().replace(/^type /, ""))
    .filter((one) => one !== "")
    .flatMap((one) => {
      const [name = "", as = name] = one.split(" as ");
      const found = declared.get(name);
      if (found === undefined) throw new Error(`${file} declares no ${name}`);
      const { text } = found[0]!;
      // The overloads of a function belong together.
      return { name: as, text, code: found.map(({ code }) => code).join("\n") };
    });
}

/** What a module exports, with what it hands on as a whole. */
function declaredIn(file: string, read: typeof readDeclarations): Declared[] {
  const wholes = read(file).matchAll(/^export (?:type )?\* from "([^"]+)";/gm);
  return [
    ...exportsOf(file, read),
    ...[...wholes].flatMap(([, path]) => declaredIn(declarationsAt(file, path!), read)),
  ];
}

/** The statements of a module: each begins in the first column, and a comment there belongs to what follows it. */
function statementsOf(module: string): { text: string; code: string }[] {
  const parts = module.split(/^(?=\/\*\*|export |import |declare |interface |type |class |const )/m);
  let comment = "";
  return parts.flatMap((part) => {
    const [doc = ""] = /^\/\*\*[^]*?\*\/\n?/.exec(part) ?? [];
    const code = part.slice(doc.length).trim();
    if (code === "") {
      comment = doc;
      return [];
    }
    const text = plain(doc === "" ? comment : doc);
    comment = "";
    return [{ text, code }];
  });
}

/** A comment without its stars. */
function plain(comment: string): string {
  return comment
    .replace(/^\/\*\*\s?|\s*\*\/\s*$/g, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .trim();
}

function declarationsAt(from: string, specifier: string): string {
  return join(dirname(from), specifier.replace(/\.(ts|js)$/, ".d.ts"));
}

/** The text of a file of declarations. */
export function readDeclarations(file: string): string {
  if (!existsSync(file)) throw new Error(`there is no ${file}; npm run build writes it`);
  return readFileSync(file, "utf8");
}
