// One wrong command line for each option that takes a value, and for each argument, of every command.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fixture } from "../../../schemas/types.ts";
import { packagePath } from "../../kit/base/package-root.ts";

/** What is given and refused; or why nothing that can be given is wrong. */
export type WrongInput = readonly string[] | { never: string };

/** Command lines, and the files that they name. */
export interface WrongFiles {
  /** To be removed after the tests. */
  folder: string;
  /** A saved report, to be written before they are used. */
  report: string;
  /** By the command and the option or argument, such as `probe --agent`. */
  table: Readonly<Record<string, WrongInput>>;
}

const isText = { never: "any text is one" };
const isName = { never: "any name is one that a server may know" };

/** The table, with the files that it names. */
export function wrongInput(): WrongFiles {
  const folder = mkdtempSync(join(tmpdir(), "agent-loop-wrong-"));
  const gone = join(folder, "gone.json");
  const taken = join(folder, "taken.txt");
  writeFileSync(taken, "Not of the kit.\n");
  // Nobody can write below a file, not even root.
  const nowhere = join(taken, "out.json");
  const fixture = packagePath("fixtures/openai-chat/weather-loop.json");
  const session = join(folder, "session.json");
  // `replay --update` touches nothing crafted.
  const recorded = join(folder, "recorded.json");
  const { exchanges } = JSON.parse(readFileSync(fixture, "utf8")) as Fixture;
  const by = { date: "2026-01-01T00:00:00.000Z", recorder: "by hand 1" };
  writeFileSync(recorded, JSON.stringify({ fixture: 1, origin: "recorded", recorded: by, exchanges }));
  const archive = join(folder, "archive.har");
  writeFileSync(
    archive,
    JSON.stringify({ log: { version: "1.2", creator: { name: "by hand", version: "1" }, entries: [] } }),
  );
  const report = join(folder, "report.jsonl");
  writeFileSync(
    session,
    JSON.stringify({ spec_version: "1.0", id: "s", messages: [{ role: "user", content: "Hi." }] }),
  );
  const program = ["--", process.execPath, "-e", "process.exit(9)"];
  const probe = (...options: string[]) => [...options, ...program];
  const record = (...options: string[]) => ["--out", join(folder, "f.json"), ...options, ...program];
  const replay = (...options: string[]) => [fixture, ...options, ...program];
  const test = (...options: string[]) => ["--driver", "reference", "--case", "stop/end-turn-text", ...options];
  const imported = (...options: string[]) => [fixture, "--out", join(folder, "imported.json"), ...options];
  const matrix = (...options: string[]) => ["--only", "peers/ai-sdk", "--out", join(folder, "m.json"), ...options];

  const table: Record<string, WrongInput> = {
    "probe [command...]": [],
    "probe --agent": ["--agent", "nobody"],
    "probe --continue": probe("--continue", "go on, without a place for what is said"),
    "probe --env": probe("--env", "AGENT_LOOP_NOT_SET"),
    "probe --scenario": probe("--scenario", "nobody/knows"),
    "probe --requires": probe("--requires", "NOPE-1"),
    "probe --severity": probe("--severity", "hurts"),
    "probe --jobs": probe("--jobs", "0"),
    "probe --timeout": probe("--timeout", "soon"),
    "probe --keep": probe("--keep", nowhere),
    "probe --reporter": probe("--reporter", `json=${nowhere}`),
    "probe --known-failures": probe("--known-failures", gone),
    "probe --install": ["--install", "nobody"],
    "probe --from": probe("--from", gone),
    "probe --run-tools": probe("--run-tools", "all"),

    "test --driver": ["--driver", "nobody"],
    "test --relay": test("--relay", "nobody"),
    "test --case": test("--case", "nobody/knows"),
    "test --cases": test("--cases", gone),
    "test --requires": test("--requires", "NOPE-1"),
    "test --feature": test("--feature", "telepathy"),
    "test --provider": test("--provider", "acme"),
    "test --variant": test("--variant", "grpc"),
    "test --level": test("--level", "high"),
    "test --reporter": test("--reporter", `junit=${nowhere}`),
    "test --details": test("--details", "some"),
    "test --shard": test("--shard", "3/2"),
    "test --known-failures": test("--known-failures", gone),
    "test --suite": test("--suite", "77.0"),
    "test --jobs": test("--jobs", "0"),
    "test --timeout": test("--timeout", "-1"),
    "test --seed": test("--seed", "x"),
    "test --splits": test("--splits", "x"),
    "test --split": test("--split", "x"),
    "test --stage": ["--driver", "reference", "--stage", "99"],
    "test --score": ["--driver", "reference", "--stage", "1", "--score", nowhere],

    "init --lang": ["--lang", "cobol", "--dir", join(folder, "driver")],
    "init --for": ["--lang", "python", "--for", "nobody", "--dir", join(folder, "driver")],
    "init --dir": ["--lang", "python", "--dir", nowhere],

    "record [command...]": ["--out", join(folder, "f.json")],
    "record --out": ["--out", nowhere, ...program],
    "record --upstream": record("--upstream", "no-address"),
    "record --level": record("--level", "essential"),
    "record --reporter": record("--audit", "--reporter", `json=${nowhere}`),

    "replay <fixture>": [gone, ...program],
    "replay [command...]": [fixture],
    "replay --order": replay("--order", "random"),
    "replay --timing": replay("--timing", "slow"),
    "replay --fault": replay("--fault", "420"),
    "replay --expect": replay("--expect", gone),
    "replay --upstream": [recorded, "--update", "--upstream", "no-address", ...program],
    "replay --keep-env": { never: "a variable that is not set is not kept" },

    "audit <fixture...>": [gone],
    "audit --level": [fixture, "--level", "high"],
    "audit --reporter": [fixture, "--reporter", `html=${nowhere}`],
    "audit --expect": [fixture, "--expect", gone],

    "explain <name>": ["NOPE-1"],

    "learn [stage]": ["99"],
    "learn [folder]": ["1", gone],
    "learn --lang": ["start", join(folder, "loop"), "--lang", "cobol"],

    "eject <folder>": [nowhere],
    "eject --imports": [join(folder, "core"), "--imports", "mjs"],

    "matrix --only": matrix("--only", "nobody"),
    "matrix --out": ["--only", "peers/ai-sdk", "--out", nowhere],
    "matrix --page": ["--page", nowhere],
    "matrix --cache": matrix("--cache", nowhere),
    "matrix --installed": matrix("--installed", gone),
    "matrix --case": matrix("--case", "nobody/knows"),
    "matrix --jobs": matrix("--jobs", "0"),
    "matrix --timeout": matrix("--timeout", "x"),
    "matrix --seed": matrix("--seed", "x"),
    "matrix issue <finding>": ["nobody/NOPE-1"],
    "matrix issue --out": ["ai-sdk/LOOP-9", "--out", taken],

    "show <file>": [gone],
    "show --html": [fixture, "--html", nowhere],
    "show --driver": ["stop/end-turn-text", "--step", "--driver", "nobody"],

    "diff <old>": [gone, fixture],
    "diff <new>": [fixture, gone],
    "normalize <fixture...>": [gone],
    "scan <path...>": [gone],

    "import <file>": [gone, "--out", join(folder, "imported.json")],
    "import --from": imported("--from", "pcap"),
    "import --out": [fixture, "--out", nowhere],
    "import --upstream": [archive, "--out", join(folder, "imported.json"), "--upstream", "no-address"],
    "import --crafted": isText,
    "import --provider": imported("--provider", "acme"),
    "import --transport": imported("--transport", "grpc"),

    "export-har <fixture>": [gone, "--out", join(folder, "f.har")],
    "export-har --out": [fixture, "--out", nowhere],
    "export-har --upstream": [fixture, "--out", join(folder, "f.har"), "--upstream", "no-address"],

    "serve [fixture...]": [gone],
    "serve --port": [fixture, "--port", "70000"],
    "serve --order": [fixture, "--order", "random"],
    "serve --timing": [fixture, "--timing", "slow"],
    "serve --fault": [fixture, "--fault", "420"],

    "new-case --from": ["--from", gone],
    "new-case --requires": ["--from", fixture, "--requires", "NOPE-1"],
    "new-case --title": isText,
    "new-case --output": ["--from", fixture, "--output", nowhere],

    "validate <file...>": [gone],
    "validate --type": [session, "--type", "poem"],
    "validate --provider": [session, "--provider", "acme"],
    "validate --before": [session, "--type", "events", "--before", gone, "--after", session],
    "validate --after": [session, "--type", "events", "--before", session, "--after", gone],
    "validate --feature": [session, "--feature", "telepathy"],

    "repair <session>": [gone],
    "repair --output": [session, "--output", nowhere],

    "convert <file>": [gone, "--to", "atif"],
    "convert --to": [session, "--to", "morse"],
    "convert --from": [session, "--from", "morse", "--to", "atif"],
    "convert --model": isName,
    "convert --output": [session, "--to", "openai-chat", "--output", nowhere],

    "report show <file>": [gone],
    "report show --reporter": [gone, "--reporter", "smoke"],
    "report merge <file...>": [gone],
    "report merge --output": [report, "--output", nowhere],
    "report diff <old>": [gone, report],
    "report diff <new>": [report, gone],
    "report badge <file>": [gone],
    "report badge --output": [report, "--output", nowhere],

    "coverage [report]": [gone],
    "coverage --driver": ["--driver", "nobody"],
    "coverage --profile": [gone, "--profile", "royal"],
    "coverage --json": [report, "--json", nowhere],
    "coverage --missing": [report, "--missing", "x"],
    "migrate <file>": [gone],

    "list [what]": ["poems"],
    "repro <case>": ["nobody/knows", "openai-chat/sse"],
    "repro <variant>": ["stop/end-turn-text", "grpc"],
    "repro --driver": ["stop/end-turn-text", "openai-chat/sse", "--driver", "nobody"],
    "repro --port": ["stop/end-turn-text", "openai-chat/sse", "--serve", "--port", "70000"],
    "repro --seed": ["stop/end-turn-text", "openai-chat/sse", "--seed", "x"],
    "repro --split": ["stop/end-turn-text", "openai-chat/sse", "--split", "x"],
    "export --out": ["--out", nowhere],
    "export --suite": ["--out", join(folder, "suite"), "--suite", "77.0"],
    "quiz [fault]": ["nobody"],
    "quiz --seed": ["--seed", "x"],
    "quiz --answer": ["--seed", "1", "--answer", "NOPE-1"],
    "tour [step]": ["99"],
    "tour [word]": ["2", "undo"],
    "driver check --driver": ["--driver", "nobody"],
    "driver combine --driver": ["--driver", "nobody"],
    "driver combine --from": ["--driver", "reference", "--from", "first"],
    "driver combine --times": ["--driver", "reference", "--times", "0"],
    "driver combine --with": ["--driver", "reference", "--with", "hand off"],
    "driver combine --variant": ["--driver", "reference", "--variant", "grpc"],
    "driver combine --of": ["--driver", "reference", "--of", "hand off"],
    "driver check --timeout": ["--driver", "reference", "--timeout", "0"],
  };
  return { folder, report, table };
}
