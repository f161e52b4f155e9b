import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the fake answers to one request. */
export interface Script {
  /** Pieces of text, each its own chunk. */
  text?: string[];
  reasoning?: string[];
  toolCalls?: { id?: string; name: string; arguments: object }[];
  finish?: string;
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** Between chunks, in ms. */
  delayMs?: number;
  status?: number;
  headers?: Record<string, string>;
  /** `stall`: nothing more comes. `cut`: the socket is closed. `garbage`: what comes is no reply. `long-line`: a line without end. */
  fault?: "stall" | "cut" | "garbage" | "long-line";
  /** After how many text chunks the fault comes. Default 0. */
  faultAfter?: number;
}

export interface FakeProvider extends AsyncDisposable {
  /** Ends before /chat/completions. */
  url: string;
  port: number;
  /** Bodies of the requests, in order. */
  requests: {
    messages: { role: string; content: unknown }[];
    tools?: { function: { name: string } }[];
    [field: string]: unknown;
  }[];
  /** Requests whose client left before the reply ended. */
  aborted: number;
  /** What to answer from now on: by the number of the request (from 0) and its body. */
  answer(script: (index: number, body: FakeProvider["requests"][number]) => Script): void;
}

/** A model provider that speaks OpenAI's chat completions protocol over HTTP. Source: OpenAI API reference. */
export async function startFakeProvider(
  first: (index: number, body: FakeProvider["requests"][number]) => Script = () => ({ text: ["Hello", " there"] }),
): Promise<FakeProvider> {
  let script = first;
  const provider: FakeProvider = {
    url: "",
    port: 0,
    requests: [],
    aborted: 0,
    answer: (next) => void (script = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const index = provider.requests.push(body) - 1;
    response.on("close", () => {
      if (!response.writableFinished) provider.aborted += 1;
    });
    await play(script(index, body), response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provider.port = (server.address() as AddressInfo).port; // a TCP server has one
  provider.url = `http://127.0.0.1:${provider.port}/v1`;
  return provider;
}

async function bodyOf(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // without an encoding set these are Buffers
  return JSON.parse(Buffer.concat(chunks).toString()) as FakeProvider["requests"][number]; // what our own client wrote
}

async function play(script: Script, response: ServerResponse): Promise<void> {
  const { text = [], reasoning = [], toolCalls = [], delayMs = 0, status = 200, headers = {}, fault, faultAfter = 0 } = script;
  if (status !== 200) {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message: "planted-upstream-words", type: "x", code: null } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", ...headers });
  const chunk = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }], usage: null })}\n\n`,
    );
  const pause = () => (delayMs ? new Promise((resolve) => setTimeout(resolve, delayMs)) : undefined);
  const pieces = [...reasoning.map((reasoning_content) => ({ reasoning_content })), ...text.map((content) => ({ content }))];
  for (const [index, piece] of pieces.entries()) {
    if (fault && index === faultAfter) return void misbehave(fault, response);
    chunk(piece);
    await pause();
    if (response.destroyed) return;
  }
  if (fault) return void misbehave(fault, response);
  for (const [index, { id = `call_${index}`, name, arguments: given }] of toolCalls.entries()) {
    const json = JSON.stringify(given);
    chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    for (let at = 0; at < json.length; at += 7)
      chunk({ tool_calls: [{ index, function: { arguments: json.slice(at, at + 7) } }] });
  }
  chunk({}, script.finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop"));
  const usage = script.usage ?? { prompt_tokens: 11, completion_tokens: text.length };
  response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
}

function misbehave(fault: NonNullable<Script["fault"]>, response: ServerResponse): void {
  if (fault === "cut") response.destroy();
  else if (fault === "garbage") response.end("<html>bad gateway</html>\n");
  else if (fault === "long-line") response.end(`data: ${"x".repeat(10 * 1024 * 1024)}`);
}
