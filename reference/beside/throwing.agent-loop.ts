// The text of a run, or an exception that says what went wrong: a limit as well.

import { agentLoop, type Provider } from "../index.ts";

export async function ask(provider: Provider, input: string): Promise<string> {
  return (await agentLoop({ provider, input }).orThrow()).final_text;
}
