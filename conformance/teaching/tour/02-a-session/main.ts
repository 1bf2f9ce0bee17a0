// A session: a list of messages that is sent whole with every model call.

import type { Message } from "../../../../schemas/types.ts";
import { replayed } from "../replayed.ts";
import { fromWire, toWire, type Item } from "../wire.ts";

const { fetch } = await replayed(import.meta.url);

async function invokeModel(session: Message[]): Promise<Message[]> {
  const response = await fetch("https://api.openai.com/v1/responses", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env["OPENAI_API_KEY"]}` },
    body: JSON.stringify({ model: "gpt-4.1", input: session.map(toWire) }),
  });
  const { output, error } = (await response.json()) as { output: Item[]; error?: { message: string } };
  if (error) throw new Error(error.message);
  return output.map(fromWire);
}

const session: Message[] = [];
for (const content of ["My name is Ada.", "What is my name?"]) {
  session.push({ role: "user", content });
  session.push(...(await invokeModel(session)));
}

for (const message of session) console.log(JSON.stringify(message));
