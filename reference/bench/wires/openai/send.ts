// Sends bytes through OpenAI's SDK, whichever of its APIs is asked.

import { OpenAI } from "openai";
import type { Send } from "../../measured-wire.ts";
import { byNode, jsonContent } from "../../wire-parts.ts";

export function openai(baseURL: string): Send {
  const client = new OpenAI({ ...byNode, baseURL });
  return (path, body) => client.post(path, { body, headers: jsonContent }).asResponse();
}
