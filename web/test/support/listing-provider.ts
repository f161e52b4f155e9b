import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider of models that lists one, which the scripted provider does not. */
export interface ListingProvider extends AsyncDisposable {
  /** With its `/v1`. */
  url: string;
}

/** Lists the model, and passes everything else on to the scripted provider at `to`. */
export async function startListingProvider(
  model: string,
  to: string,
): Promise<ListingProvider> {
  const server = createServer((request, answer) => {
    if (request.method === "GET") {
      answer.setHeader("content-type", "application/json");
      answer.end(JSON.stringify({ data: [{ id: model }] }));
      return;
    }
    relay(to, request, answer).catch((error: unknown) => answer.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function relay(
  to: string,
  request: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  const path = (request.url ?? "").replace(/^\/v1/, "");
  const passed = await fetch(to + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  answer.writeHead(passed.status, {
    "content-type": passed.headers.get("content-type") ?? "application/json",
  });
  answer.end(Buffer.from(await passed.arrayBuffer()));
}
