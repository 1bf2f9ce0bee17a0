// One model call: a text goes out, a text comes back.

import { replayed } from "../replayed.ts";

const { fetch } = await replayed(import.meta.url);

type Item = { content: { text: string }[] };

async function invokeModel(input: string): Promise<string> {
  const response = await fetch("https://api.openai.com/v1/responses", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env["OPENAI_API_KEY"]}` },
    body: JSON.stringify({ model: "gpt-4.1", input }),
  });
  const { output, error } = (await response.json()) as { output: Item[]; error?: { message: string } };
  if (error) throw new Error(error.message);
  return output.map(textOf).join("");
}

function textOf({ content }: Item): string {
  return content.map(({ text }) => text).join("");
}

for (const text of ["My name is Ada.", "What is my name?"]) console.log(await invokeModel(text));
