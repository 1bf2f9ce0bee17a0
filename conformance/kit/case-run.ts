// Plays one variant against a driver from run to last answer, and notes everything that can be judged afterwards.

import type {
  Agent,
  EventParams,
  LoopEvent,
  ModelInvokeParams,
  ResumeDecision,
  RunResponse,
  Session,
  ToolAbortParams,
  ToolExecuteParams,
} from "../../reference/types.ts";
import type { Observation } from "./observation.ts";
import { ModelPlayer } from "./play-model.ts";
import { ToolPlayer } from "./play-tools.ts";
import type { DriverNotification, DriverRequest } from "./protocol.ts";
import type { Reply } from "./rpc.ts";
import { Stage } from "./stage.ts";
import type { CaseRunInput } from "./stage.ts";

/** The spec version of the sessions that the kit makes. */
const sessionVersion = "1.0";

/** One run of one variant. */
export class CaseRun {
  readonly #stage: Stage;
  readonly #model: ModelPlayer;
  readonly #tools: ToolPlayer;

  constructor(input: CaseRunInput) {
    this.#stage = new Stage(input);
    this.#model = new ModelPlayer(this.#stage);
    this.#tools = new ToolPlayer(this.#stage);
  }

  /** Everything that was seen so far. */
  get seen(): Observation {
    return this.#stage.seen;
  }

  /** Hears of every sign of life of the run. */
  set onActivity(listener: () => void) {
    this.#stage.onActivity = listener;
  }

  /**
   * Plays the run to its end.
   * @throws what the connection throws, and whatever goes wrong in the kit
   */
  async play(): Promise<Observation> {
    try {
      await Promise.race([this.#play(), this.#stage.broken]);
    } finally {
      this.#stage.end();
      this.#model.close();
    }
    return this.seen;
  }

  /** Takes a request of the driver that names this run. */
  request(method: DriverRequest, params: unknown, reply: Reply): void {
    this.#stage.tick();
    const answered =
      method === "tool/execute"
        ? this.#tools.execute(params as ToolExecuteParams, reply)
        : this.#model.invoke(params as ModelInvokeParams, reply);
    answered.catch((error: unknown) => this.#stage.break(error));
  }

  /** Takes a notification of the driver that names this run. */
  notification(method: DriverNotification, params: unknown): void {
    this.#stage.tick();
    if (method === "event") this.#emitted((params as EventParams).event);
    else this.#tools.aborted((params as ToolAbortParams).id);
  }

  #emitted(event: LoopEvent): void {
    this.seen.events.at(-1)!.push(event);
    if (event.type !== "retry") return;
    this.#stage.actions.sightings.retries += 1;
    void this.#stage.fire();
  }

  async #play(): Promise<void> {
    const { connection, run, filled } = this.#stage.input;
    const { messages, options } = filled.case.given;
    const session: Session = { spec_version: sessionVersion, id: `session-${run}`, messages };
    const common = { run, agents: { main: this.#agent() }, model: this.#model.open() };
    const clock = this.#stage.usesClock ? { clock: "virtual" } : {};
    const start = { ...common, session, agent: "main", ...(options && { options }), ...clock };
    let answer = this.#returned(await connection.request("run", start));
    for (let decisions = this.#decisions(answer); decisions; decisions = this.#decisions(answer)) {
      this.seen.events.push([]);
      this.seen.expected.decided(decisions);
      const { snapshot } = answer.result!;
      answer = this.#returned(await connection.request("resume", { ...common, snapshot, decisions }));
    }
    this.#stage.end();
    await this.#stage.actions.done();
    // Whatever a driver still does after its answer is seen before the run is judged.
    if (this.#stage.hasBarrier) await this.#stage.quiet(1);
    await this.#model.checkCancelledCall();
  }

  #agent(): Agent {
    const { instructions, tools } = this.#stage.input.filled.case.given;
    return { name: "main", ...(instructions !== undefined && { instructions }), ...(tools && { tools }) };
  }

  #returned(response: unknown): RunResponse {
    this.#stage.tick();
    const { result, session } = response as RunResponse;
    const answer = { ...(result && { result }), ...(session && { session }) };
    this.seen.results.push(answer);
    return answer;
  }

  /** The decisions with which the case resumes the run, if it suspended and the case does. */
  #decisions({ result }: RunResponse): ResumeDecision[] | undefined {
    if (result?.status !== "suspended") return undefined;
    const { actions } = this.#stage;
    const resume = actions.waiting.find(({ when, do: act }) => when.suspended && typeof act === "object" && act.resume);
    if (!resume || typeof resume.do === "string") return undefined;
    actions.take(resume);
    return resume.do.resume;
  }
}
