// How the package is installed, as README says it: from the registry once it is there, and of a packed file until then.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "./release-refusals.ts";
import { root } from "./schema-files.ts";

/** The paragraphs below the picture. */
export function installText(
  manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest & { engines: { node: string } },
): string {
  const { name, version, published, engines } = manifest;
  const needs = `It needs Node ${engines.node.replace(">=", "")} or later, whatever the language of your agent.`;
  if (published)
    return `\n${block(`npm install ${name}`)}\n\n${needs} \`npx ${name}\` works with nothing installed, too.\n`;
  const file = `${name}-${version}.tgz`;
  return `
The registry does not have it yet. In a checkout, \`npm ci && npm pack\` makes \`${file}\`; then, in your own project:

${block(`npm install ../agent-loop-spec/${file}`)}

${needs} With nothing installed, \`npx --package ../agent-loop-spec/${file} ${name}\` stands for \`npx ${name}\`.
`;
}

function block(command: string): string {
  return `\`\`\`sh\n${command}\n\`\`\``;
}
