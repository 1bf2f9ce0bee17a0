// The command `show`: a fixture, a session, a snapshot or the events of a run, as the conversation that it is.

import { readShown } from "../traffic/read/read-shown.ts";
import { wantsColor } from "./shared/terminal.ts";
import type { Entry } from "../traffic/read/entries.ts";
import { entryLines } from "../traffic/read/entry-lines.ts";
import { eventEntries, sessionEntries } from "../traffic/read/session-entries.ts";
import { snapshotEntries } from "../traffic/read/snapshot-entries.ts";
import type { Shown } from "../traffic/read/shown.ts";
import { redact } from "../kit/base/redact.ts";
import { counted } from "../kit/base/plural.ts";
import { UsageError } from "../kit/base/usage-error.ts";

/** The options of the command line. */
export interface ShowOptions {
  full?: boolean;
  html?: string;
  step?: boolean;
  all?: boolean;
  driver?: string;
}

/** Lines of one entry that are shown without --full. */
const most = 12;

/** Writes the conversation to stdout, or as a page into a file. */
export async function show(file: string, options: ShowOptions): Promise<void> {
  const { full = false, html, step, all, driver } = options;
  if (step) return (await import("./show-step.ts")).showSteps(file, options);
  if (all || driver !== undefined) throw new UsageError("--all and --driver go with --step");
  const shown = readShown(file);
  if (html !== undefined) {
    const [{ conversationPage }, { writeWhole }] = await Promise.all([
      import("../traffic/read/conversation-page.ts"),
      import("./shared/write-file.ts"),
    ]);
    // A page is passed on.
    writeWhole(html, conversationPage(file, redact(shown), redact(await entriesOf(shown))));
    return;
  }
  const { stdout, env } = process;
  const columns = Math.min(stdout.columns ?? 80, 120);
  const style = { color: wantsColor(stdout, env), columns, most: full ? Infinity : most };
  const title: Entry = { kind: "heading", text: titleOf(file, shown) };
  for (const line of entryLines([title, ...(await entriesOf(shown))], style).slice(1)) console.log(line);
}

/** What a file is, in a line. */
function titleOf(file: string, { type, value }: Shown): string {
  switch (type) {
    case "Fixture":
      return `${file}: ${counted(value.exchanges.length, "exchange")}, ${value.origin}${value.why === undefined ? "" : `: ${value.why}`}`;
    case "Session":
      return `${file}: session ${value.id}, ${counted(value.messages.length, "message")}`;
    case "Snapshot":
      return `${file}: snapshot of a run, ${counted(value.session.messages.length, "message")}`;
    case "Event":
      return `${file}: ${counted(value.length, "event")}`;
  }
}

async function entriesOf({ type, value }: Shown): Promise<Entry[]> {
  switch (type) {
    case "Fixture":
      // Only fixtures need the adapters and the codecs.
      return (await import("../traffic/read/fixture-entries.ts")).fixtureEntries(value);
    case "Session":
      return sessionEntries(value);
    case "Snapshot":
      return snapshotEntries(value);
    case "Event":
      return eventEntries(value);
  }
}
