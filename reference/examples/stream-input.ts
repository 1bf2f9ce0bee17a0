// A conversation: each input is one whole run on the session of the run before, and two runs never share a session.

import { agentLoop, SPEC_VERSION, streamInput, type Provider, type Session } from "../index.ts";

const empty: Session = { spec_version: SPEC_VERSION, id: "chat", messages: [] };
// A scripted model that counts the user's messages. Meanwhile a second run tries to use the session.
const provider: Provider = {
  name: "scripted",
  async invokeModel({ messages }) {
    const second = agentLoop({ provider, session: { ...empty, messages: [{ role: "user", content: "Me too!" }] } });
    console.log("the second run:", (await second.result).error?.kind);
    const times = messages.filter((message) => "role" in message && message.role === "user").length;
    return { messages: [{ role: "assistant", content: `That was number ${times}.` }], stop_reason: "end_turn" };
  },
};
async function* typed() {
  yield "Hello.";
  yield "Are you still there?";
}
for await (const run of streamInput({ provider, session: empty }, typed())) console.log((await run.result).final_text);
