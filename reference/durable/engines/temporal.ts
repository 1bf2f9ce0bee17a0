// The workers of Temporal: the model and the tools are activities, and the loop is in `temporal-workflow.ts`.

import { fileURLToPath } from "node:url";
import { ApplicationFailure, Context, heartbeat } from "@temporalio/activity";
import { NativeConnection, Worker, type WorkflowBundleOption } from "@temporalio/worker";
import type { DefinedTool, ModelRequest, Provider, RunOptions, ToolContext, ToolError } from "../../index.ts";
import type { DurableSetup } from "../index.ts";

export const taskQueue = "agents";

/** For `bundleWorkflowCode`, which is best done once, before the workers start. */
export const workflowsPath = fileURLToPath(new URL("./temporal-workflow.ts", import.meta.url));

export type Activities = ReturnType<typeof activities>;
/** What the sandbox has to know of a setup, as JSON. What else is in one has its place in the file of the workflow. */
type Described = { tools: DefinedTool[]; options: RunOptions; provider: Omit<Provider, "invokeModel"> };

function activities(setupOf: (run: string) => DurableSetup) {
  return {
    async describe(run: string): Promise<Described> {
      const { tools = [], options = {}, provider } = setupOf(run);
      const { name, model } = provider; // and no key: this is written down
      return JSON.parse(JSON.stringify({ tools, options, provider: { name, model } })) as Described;
    },
    invokeModel: (run: string, request: ModelRequest) =>
      beating((signal) => setupOf(run).provider.invokeModel(request, { signal, onStream() {}, warn() {} })),
    executeTool: (run: string, call: Pick<ToolContext, "call" | "turn" | "context">) =>
      beating(async (signal) => {
        const { execute } = setupOf(run).tools!.find(({ name }) => name === call.call.name)!;
        const context = { ...call, signal, metrics: {}, progress() {} };
        return { returned: await execute!(call.call.input as never, context), measured: context.metrics };
      }),
  };
}

/** Says again and again that the worker lives. What failed is not tried again: the loop has retries of its own. */
async function beating<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timer = setInterval(heartbeat, 800);
  try {
    return await act(Context.current().cancellationSignal);
  } catch (thrown) {
    const error: Partial<ToolError> = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { message, outcome, fatal } = error;
    throw ApplicationFailure.nonRetryable(message, undefined, { outcome, fatal });
  } finally {
    clearInterval(timer);
  }
}

/** Works until the process ends. */
export async function work(
  address: string,
  setupOf: (run: string) => DurableSetup,
  workflowBundle: WorkflowBundleOption,
): Promise<void> {
  const connection = await NativeConnection.connect({ address });
  const options = { taskQueue, workflowBundle, stickyQueueScheduleToStartTimeout: "2s" } as const;
  await (await Worker.create({ ...options, connection, activities: activities(setupOf) })).run();
}
