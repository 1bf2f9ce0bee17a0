// Makes the table of the names that providers have in traces: telemetry loads no adapter for them.

import { providers } from "../../reference/providers/registry.ts";

/** The text of reference/events/telemetry/provider-names.ts. */
export function tracedNamesFile(): string {
  const rows = Object.values(providers).map(({ name, traced }) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `  ${key}: ${JSON.stringify(traced)},\n`;
  });
  return `// OpenTelemetry's names of providers. Generated from the folders of the providers by \`npm run generate\`. Do not edit.

/** The conventions' names of providers. Any other name is used unchanged. */
export const providerNames: Readonly<Record<string, string>> = {
${rows.join("")}};
`;
}
