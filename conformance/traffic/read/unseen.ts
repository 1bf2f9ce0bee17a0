// Says why a recording shows nothing of a requirement: because requests cannot, or because there was no occasion.

import { codecs } from "../../kit/wire/codecs.ts";
import { whyTaken } from "../../kit/wire/taken.ts";
import { occasions, providerOfRequirement } from "./occasions.ts";
import type { RecordedTraffic } from "./occasions.ts";

/** Why requests cannot show it, whatever is recorded. What does show it is said too, where something does. */
const cannotShow: Readonly<Record<string, string>> = {
  ...because("how a run ended is reported to its caller, not to the model", [
    "LOOP-14",
    "LOOP-18",
    "LOOP-23",
    "LOOP-27",
    "LOOP-28",
    "ANTHROPIC-16",
    "CHAT-16",
    "CHAT-17",
    "CHAT-18",
    "CHAT-28",
    "CHAT-41",
    "RESPONSES-19",
    "RESPONSES-20",
  ]),
  ...because("what a tool is given, and how often, is not in the traffic", ["TOOL-8", "TOOL-12", "SESSION-29"]),
  "PROVIDER-6": "what was said to the program is not in the traffic before it is sent",
  "PROVIDER-14": "a recording has one form of each response, never both",
  "PROVIDER-27": "no recording keeps the API key that was in use; probe looks for it",
  "PROVIDER-38": "where a redirected request went is not in the traffic of the server that redirected it",
  "PROVIDER-45": "an error is reported to the caller; a key of it that is sent to the model is found",
  "PROVIDER-46": "a key that came back as it was shows nothing; one that was replaced is found",
  "SESSION-1": "a session that was changed and a request that was made of another one look alike: LOOP-1 is found",
  "SESSION-10": "whether an id was made up, or came with the call, is not in what is sent back",
};

/** Why nothing was seen of a requirement in this traffic. */
export function whyUnseen(id: string, seen: RecordedTraffic): string {
  const reason = cannotShow[id];
  if (reason !== undefined) return `requests do not show it: ${reason}`;
  if (occasions[id] === undefined) return "requests do not show it, or only where a provider refuses them";
  return id === "PROVIDER-22" && seen.requests.some(({ answer }) => answer.stop_reason === "interrupted")
    ? "whether half an answer was reported as a whole one only the caller knows; who asks again has seen it"
    : "there was no occasion for it";
}

/** Why nothing of the traffic can be about it; undefined if something can. */
export function whyNotApplicable(id: string, { requests }: RecordedTraffic): string | undefined {
  const provider = providerOfRequirement(id);
  if (provider !== undefined && requests.length === 0) return `nothing was asked in the format of ${provider}`;
  const taken = requests.map((one) => whyTaken(id, codecs[one.provider]));
  return taken.every((why) => why !== undefined) ? taken[0] : undefined;
}

function because(reason: string, ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, reason]));
}
