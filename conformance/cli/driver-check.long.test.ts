// The command `driver check`: its exit code, and what a person reads.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const fake = fileURLToPath(new URL("../kit/testing/fake-driver.ts", import.meta.url));

function check(driver: string, ...args: string[]): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, "driver", "check", "--driver", driver, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    );
  });
}

it("exits 0 and says what to do next where everything is right", async () => {
  const { code, text } = await check("reference");
  expect(text).toMatch(/^ok +initialize: protocol 1, reference/);
  expect(text).not.toContain("kit →");
  expect(text.trimEnd()).toMatch(/the driver speaks the protocol; now: npx agent-loop-spec test --driver reference$/);
  expect(code).toBe(0);
});
it("exits 1 and shows the messages, what was expected, what came, and the sentence of the spec", async () => {
  const { code, text } = await check(`node ${fake} 'refuses every run'`);
  expect(text).toMatch(
    /^wrong +a run: .*\n +kit → \{"jsonrpc":"2.0","id":4,"method":"run"[^]*\n +drv → .*I would rather not/m,
  );
  expect(text).toMatch(/^ +expected +the request model\/invoke\n +came +the error -32000: I would rather not$/m);
  expect(text).toMatch(/^ +DRIVER-4 +A driver MUST run the loop .* spec\/kit\/driver-protocol\.md:\d+$/m);
  expect(text).toContain("1 step is wrong");
  expect(code).toBe(1);
});
it("shows every message when asked", async () => {
  expect((await check("reference", "--verbose")).text).toMatch(
    /^ok +an unknown method[^]*?kit → .*unknown-method.*\n +drv → .*-32601/m,
  );
});
it("exits 2 for a driver that is not there", async () => {
  expect(await check("no-such-driver")).toMatchObject({ code: 2 });
});
