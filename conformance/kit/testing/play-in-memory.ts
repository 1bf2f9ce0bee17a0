// Plays a case against the small loop in this process, so that tests can look at what the kit saw, and change it.

import type { Case, InitializeResult, RunParams, RunResponse } from "../../../schemas/types.ts";
import { CaseRun } from "../play/play-variant.ts";
import { fillCase } from "../suite/fill-case.ts";
import type { Observation } from "../observed/observation.ts";
import { readScript } from "../suite/script.ts";
import { fakeLoop } from "./fake-loop.ts";

const driver: InitializeResult = {
  protocol: 1,
  implementation: { name: "memory", version: "1", language: "typescript" },
  seams: ["generic"],
  features: ["context", "handoff", "tool_data", "report", "settings"],
};

/**
 * What the kit saw of a run of the case. `onRequest` is called with what the kit asks of the driver; what `answer` returns, if anything, is the driver's
 * answer to a run, instead of the loop's.
 */
export async function playInMemory(
  source: Case,
  onRequest?: (params: object) => void,
  answer?: (params: RunParams) => RunResponse | undefined,
): Promise<Observation> {
  const filled = fillCase(source, 1, "test");
  const ask = (method: "model/invoke" | "tool/execute", params: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      run.request(method, params, { result: resolve, error: (message) => reject(new Error(message)) });
    });
  const connection = {
    request: async (_method: string, params: object) => {
      onRequest?.(params);
      const given = answer?.(params as RunParams);
      if (given) return given;
      return fakeLoop(structuredClone(params) as RunParams, {
        ask,
        emit: (event) => run.notification("event", { run: (params as RunParams).run, event }),
      });
    },
    notify: () => undefined,
  };
  const run: CaseRun = new CaseRun({
    run: "r1",
    filled,
    script: readScript(filled.case, "r1"),
    variant: { name: "generic", seam: "generic" },
    driver,
    connection,
    sessionId: "session-r1",
    apiKey: "test-key",
  });
  return await run.play();
}
