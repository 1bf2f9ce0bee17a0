// The command `import`: makes a fixture of what another tool recorded, and says what is lost on the way.

import { readFileSync } from "node:fs";
import { gunzipSync, inflateSync } from "node:zlib";
import { FixtureError, writeFixture } from "../traffic/fixture/fixture-file.ts";
import { readAimock } from "../traffic/formats/aimock.ts";
import { readJsonExchanges } from "../traffic/formats/json-exchanges.ts";
import { formatOf } from "../traffic/formats/recognise.ts";
import type { ForeignFormat } from "../traffic/formats/recognise.ts";
import { readHar } from "../traffic/formats/har.ts";
import { toFixture } from "../traffic/formats/to-fixture.ts";
import type { Imported } from "../traffic/formats/to-fixture.ts";
import { readCassette } from "../traffic/formats/vcr.ts";
import { withoutSecrets } from "../traffic/formats/without-secrets.ts";
import { secretsOf } from "../traffic/fixture/secret-names.ts";
import { createScan } from "../traffic/fixture/secrets.ts";
import type { ProviderName, Transport } from "../kit/wire/codec.ts";
import { codecs } from "../kit/wire/codecs.ts";
import { streamOf } from "../kit/wire/transport.ts";
import { UsageError } from "../kit/base/usage-error.ts";
import { thisProgram } from "../traffic/record/this-program.ts";
import { refuseToOverwrite } from "./shared/write-file.ts";
import { namedUpstreams } from "./shared/upstream-options.ts";

/** The options of the command line. */
export interface ImportOptions {
  /** What the file is; by default that is seen from its content. */
  from?: ForeignFormat;
  out: string;
  upstream?: string[];
  crafted?: string;
  redact?: boolean;
  allowUnscanned?: boolean;
  overwrite?: boolean;
  provider: ProviderName;
  transport: Transport | "streamed";
}

/** @see FIXTURE-4, RECORD-3 */
export async function importFile(file: string, options: ImportOptions): Promise<void> {
  const { out, redact = false, allowUnscanned = false } = options;
  refuseToOverwrite(out, options);
  const { fixture, losses } = convert(file, textOf(file), options);
  const clean = await withoutSecrets(fixture, await createScan(secretsOf(process.env)), { redact, allowUnscanned });
  await writeFixture(out, clean);
  const { length } = clean.exchanges;
  console.error(`${out}: ${length} ${length === 1 ? "exchange" : "exchanges"} imported`);
  for (const line of losses) console.error(`  ${line}`);
  const { redacted = [] } = clean.recorded ?? {};
  for (const kind of redacted) console.error(`  replaced: ${kind}`);
}

function convert(file: string, text: string, options: ImportOptions): Imported {
  const { from = formatOf(file, text), upstream, crafted, provider, transport } = options;
  if (from === "aimock") return readAimock(file, text, { provider, transport: ofProvider(provider, transport) });
  const { name, version } = thisProgram();
  const traffic = readers[from](file, text);
  return toFixture(traffic, { file, upstreams: namedUpstreams(upstream), importer: `${name} ${version}`, crafted });
}

/** @throws UsageError if the provider has no such transport */
function ofProvider(provider: ProviderName, wanted: Transport | "streamed"): Transport {
  const { transports } = codecs[provider];
  const found = wanted === "streamed" ? streamOf(transports) : transports.find(({ name }) => name === wanted);
  if (found) return found.name;
  throw new UsageError(
    `${provider} has no transport ${wanted}; expected one of ${transports.map(({ name }) => name).join(", ")}`,
  );
}

const readers = { har: readHar, vcr: readCassette, json: readJsonExchanges };

function textOf(file: string): string {
  try {
    return inflated(readFileSync(file)).toString("utf8");
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    throw new FixtureError(code === "ENOENT" ? `there is no file ${file}` : `${file} cannot be read: ${message}`);
  }
}

/** A cassette of Ruby may be compressed. */
function inflated(bytes: Buffer): Buffer {
  const isZlib = bytes[0] === 0x78 && bytes.length > 2 && bytes.readUInt16BE(0) % 31 === 0;
  return isZlib ? inflateSync(bytes) : bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}
