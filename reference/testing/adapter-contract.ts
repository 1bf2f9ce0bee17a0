// What holds of the adapter of every provider over HTTP. The provider's test hands in what its server sends, and adds what is special.

import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { ModelCall, Provider } from "../core/ports.ts";
import type { LoopError, ModelResponse } from "../../schemas/types.ts";

/** What an adapter is made with. */
interface Settings {
  model: string;
  base_url: string;
  api_key: string;
  transport?: "json" | "sse";
}

/** An answer of a server that is no response of a model. */
interface Refusal {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface AdapterSamples {
  /** What the SDK wants after the address of the server. */
  basePath: string;
  /** Where the server is asked, from its address; for each form, where they differ. */
  path: string | { json: string; sse: string };
  /** How the key is shown, if not as a bearer token. */
  key?: { header: string; value: string };
  /** A response of the model that says "Hi" and ends its turn, in both forms. */
  json: object;
  stream: string;
  /** The beginning of a stream, in which the model has said "Par" so far. */
  begun: string;
  /** Answers that fail, and the errors that they become, with all their fields. */
  refusals: [name: string, refusal: Refusal, error: LoopError][];
}

const request = { messages: [{ role: "user" as const, content: "Hello" }], tools: [] };
const greeting = [{ role: "assistant", content: "Hi" }];

/** A port that nothing listens on. */
const nowhere = "http://127.0.0.1:1";

/** Notes the types of the stream events of a call. */
function listen(signal = new AbortController().signal): ModelCall & { types: string[] } {
  const types: string[] = [];
  return { types, signal, onStream: ({ type }) => types.push(type), warn() {} };
}

const sendJson = (outgoing: ServerResponse, body: unknown) => {
  outgoing.writeHead(200, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
};
const beginStream = (outgoing: ServerResponse) => outgoing.writeHead(200, { "content-type": "text/event-stream" });

export function describeAdapter(create: (settings: Settings) => Provider, samples: AdapterSamples): void {
  const { path, key = { header: "authorization", value: "Bearer k" } } = samples;
  let close: (() => void) | undefined;
  afterEach(() => close?.());

  /** The adapter, with a server that does this. */
  async function connect(listener: RequestListener, transport?: Settings["transport"]): Promise<Provider> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    close = () => {
      server.closeAllConnections();
      server.close();
    };
    return adapterAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, transport);
  }

  function adapterAt(address: string, transport?: Settings["transport"]): Provider {
    const base_url = address + samples.basePath;
    return create({ model: "some-model", base_url, api_key: "k", ...(transport && { transport }) });
  }

  describe("over HTTP", () => {
    test.each(["json", "sse"] as const)("asks once, with the key, and reads the answer: %s", async (transport) => {
      const requests: unknown[] = [];
      const provider = await connect((incoming, outgoing) => {
        requests.push([incoming.method, incoming.url, incoming.headers[key.header]]);
        if (transport === "json") sendJson(outgoing, samples.json);
        else beginStream(outgoing).end(samples.stream);
      }, transport);
      const call = listen();
      const { messages, stop_reason, error } = await provider.invokeModel(request, call);
      expect({ messages, stop_reason, error }).toEqual({ messages: greeting, stop_reason: "end_turn" });
      expect(call.types).toEqual(transport === "json" ? [] : ["message_start", "message_delta", "message_end"]);
      expect(requests).toEqual([["POST", typeof path === "string" ? path : path[transport], key.value]]);
    });

    test("reads JSON where a stream was asked for", async () => {
      const provider = await connect((_incoming, outgoing) => sendJson(outgoing, samples.json));
      expect((await provider.invokeModel(request, listen())).messages).toEqual(greeting);
    });

    test.each(samples.refusals)(
      "does not retry, and reports what the server says: %s",
      async (_name, refusal, error) => {
        let requests = 0;
        const provider = await connect((_incoming, outgoing) => {
          requests += 1;
          outgoing.writeHead(refusal.status, { "content-type": "application/json", ...refusal.headers });
          outgoing.end(JSON.stringify(refusal.body));
        });
        const response = await provider.invokeModel(request, listen());
        expect(response).toMatchObject({ stop_reason: "error", messages: [] });
        expect(response.error).toEqual(error);
        expect(requests).toBe(1);
      },
    );

    test("reports that nobody listens", async () => {
      expect((await adapterAt(nowhere).invokeModel(request, listen())).error?.kind).toBe("network");
    });

    const partial: Partial<ModelResponse> = {
      stop_reason: "interrupted",
      messages: [{ role: "assistant", content: "Par" }],
    };

    test("stops reading when the run is cancelled, and keeps what came", async () => {
      const provider = await connect((_incoming, outgoing) => beginStream(outgoing).write(samples.begun));
      const abort = new AbortController();
      const call = { ...listen(abort.signal), onStream: () => abort.abort() };
      const response = await provider.invokeModel(request, call);
      expect(response).toMatchObject(partial);
      expect(response.error?.message).toContain("the call was aborted");
    });

    test("reports a connection that breaks, and keeps what came", async () => {
      const provider = await connect((incoming, outgoing) => {
        beginStream(outgoing).write(samples.begun, () => incoming.socket.destroy());
      });
      const response = await provider.invokeModel(request, listen());
      expect(response).toMatchObject(partial);
      expect(response.error?.message).toContain("the connection broke");
    });

    test("takes an error page for what it is", async () => {
      const provider = await connect((_incoming, outgoing) => {
        outgoing.writeHead(200, { "content-type": "text/html" });
        outgoing.end("<html>maintenance</html>");
      });
      expect((await provider.invokeModel(request, listen())).error).toMatchObject({
        kind: "invalid_response",
        message: expect.stringContaining("maintenance") as string,
      });
    });
  });
}
