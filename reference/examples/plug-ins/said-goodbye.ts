// A stop condition: the model says goodbye although it calls tools.

import { isText, lastResponse } from "../../core/session.ts";
import type { StopCondition } from "../../plugins/turns/stop-conditions.ts";

export const saidGoodbye: StopCondition = {
  name: "said_goodbye",
  holds: (state) => lastResponse(state).some((message) => isText(message) && /\bgoodbye\b/i.test(message.content)),
};
