import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Reply, Wire } from "./script.ts";
import { wireWriters } from "./wires.ts";

/** A request that the provider received. */
export interface SeenRequest {
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
  /** Resolves when its connection is closed: `cut` if the caller disconnected before the end. */
  ended: Promise<"complete" | "cut">;
}

export interface FakeProvider extends AsyncDisposable {
  /** The base URL for a provider's configuration. */
  url: string;
  requests: SeenRequest[];
}

interface Options {
  wire: Wire;
  /**
   * The reply to each request in turn (the last one is repeated), or a function that creates it.
   */
  replies: readonly Reply[] | ((request: SeenRequest, index: number) => Reply);
  port?: number;
}

/**
 * A model provider on a real socket, which sends scripted replies in the exact format of its
 * protocol.
 */
export async function startFakeProvider({
  wire,
  replies,
  port = 0,
}: Options): Promise<FakeProvider> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    // it lists no models
    if (incoming.method === "GET") return void outgoing.writeHead(404).end();
    const ended = new Promise<"complete" | "cut">((resolve) =>
      outgoing.once("close", () => resolve(outgoing.writableFinished ? "complete" : "cut")),
    );
    const request: SeenRequest = {
      path: incoming.url ?? "/",
      headers: incoming.headers,
      body: await readJson(incoming),
      ended,
    };
    const index = requests.push(request) - 1;
    const reply =
      typeof replies === "function"
        ? replies(request, index)
        : (replies[index] ?? replies.at(-1) ?? {});
    await play(reply, wire, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { port: bound } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${bound}${wire === "google" ? "/v1beta" : "/v1"}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function play(reply: Reply, wire: Wire, response: ServerResponse): Promise<void> {
  if (reply.silent) return;
  if (reply.status !== undefined && reply.status !== 200) {
    response.writeHead(reply.status, {
      "content-type": "application/json",
      ...reply.headers,
    });
    response.write(reply.body ?? '{"error":{"message":"no"}}');
    if (!reply.unended) response.end();
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", ...reply.headers });
  const writer = wireWriters[wire]();
  const encoding = writer.encoding ?? "utf8";
  if (reply.whole !== undefined) return void response.end(reply.whole, encoding);
  response.write(writer.open(), encoding);
  let waiting = "";
  const flush = () => {
    if (waiting) response.write(waiting, encoding);
    waiting = "";
  };
  for (const step of reply.steps ?? []) {
    if (response.destroyed) return;
    if ("raw" in step) waiting += step.raw;
    else if ("pauseMs" in step) {
      flush();
      await sleep(step.pauseMs);
    } else if ("until" in step) {
      flush();
      await step.until;
    } else if ("stall" in step) return flush();
    else if ("cut" in step) {
      flush();
      // after the written bytes were sent
      await sleep(20);
      return void response.destroy();
    } else waiting += writer.step(step);
  }
  flush();
  response.end(writer.close(reply), encoding);
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer); // no encoding is set
  const text = Buffer.concat(parts).toString("utf8");
  return text === "" ? undefined : JSON.parse(text);
}
