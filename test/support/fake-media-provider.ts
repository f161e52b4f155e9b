import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import busboy from "busboy";

/** A request as a provider with OpenAI's API of images, sound and moderation reads it. */
export interface TaskRequest {
  path: string;
  authorization: string | undefined;
  /** Of Google or Azure. */
  key: string | string[] | undefined;
  /** Of a form, a field that comes more than once is a list. */
  body: Record<string, unknown>;
  file?: FormFile;
  /** All files of a form, in their order. */
  files: (FormFile & { field: string })[];
}

interface FormFile {
  name: string;
  type: string;
  bytes: Buffer;
}

export interface FakeMediaProvider extends AsyncDisposable {
  /** Ends before `/images/generations`. */
  url: string;
  requests: TaskRequest[];
  /** Requests whose caller left before the answer ended. */
  aborted: number;
  /** The answers from now on. */
  answer(make: (request: TaskRequest, to: ServerResponse) => void): void;
}

/** A PNG of one pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

/** Source: OpenAI API reference, images, audio, moderations. */
export async function startFakeMediaProvider(): Promise<FakeMediaProvider> {
  let make: Parameters<FakeMediaProvider["answer"]>[0] = answerAsOpenAi;
  const server = createServer((incoming, to) => {
    to.once("close", () => (provider.aborted += to.writableFinished ? 0 : 1));
    void readRequest(incoming).then((request) => {
      provider.requests.push(request);
      make(request, to);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const provider: FakeMediaProvider = {
    url: `http://127.0.0.1:${port}/v1`,
    requests: [],
    aborted: 0,
    answer: (next) => void (make = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return provider;
}

export function answerAsOpenAi({ path, body }: TaskRequest, to: ServerResponse): void {
  const json = (value: object) =>
    to.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (body["stream"]) return void to.writeHead(200, EVENTS).end(eventsOf(path));
  if (/\/images\/(?:generations|edits)$/.test(path))
    return void json({
      created: 1_713_833_628,
      data: [{ b64_json: PIXEL }],
      usage: {
        total_tokens: 100,
        input_tokens: 50,
        output_tokens: 50,
        input_tokens_details: { text_tokens: 10, image_tokens: 40 },
      },
    });
  if (path.endsWith("/audio/speech"))
    return void to.writeHead(200, { "content-type": "audio/mpeg" }).end("ID3-sound");
  if (path.endsWith("/moderations"))
    return void json({
      id: "modr-1",
      model: "omni-moderation-latest",
      results: [
        {
          flagged: true,
          categories: { violence: true },
          category_scores: { violence: 0.98 },
          category_applied_input_types: { violence: ["text"] },
        },
      ],
    });
  if (body["response_format"] === "srt")
    return void to
      .writeHead(200, { "content-type": "text/plain" })
      .end("1\n00:00:00,000 --> 00:00:01,000\nHello.\n");
  return void json({ text: "Hello.", usage: { type: "duration", seconds: 9 } });
}

const EVENTS = { "content-type": "text/event-stream; charset=utf-8" };

/** Source: OpenAI API reference, streaming events of images, of edits and of transcriptions. */
function eventsOf(path: string): string {
  const write = (event: { type: string } & Record<string, unknown>) =>
    `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  if (path.includes("/audio/"))
    return [
      { type: "transcript.text.delta", delta: "Hel" },
      { type: "transcript.text.delta", delta: "lo." },
      {
        type: "transcript.text.done",
        text: "Hello.",
        usage: { type: "tokens", input_tokens: 14, output_tokens: 3, total_tokens: 17 },
      },
    ]
      .map(write)
      .join("");
  const kind = path.endsWith("/edits") ? "image_edit" : "image_generation";
  const shared = {
    b64_json: PIXEL,
    created_at: 1_620_000_000,
    size: "1024x1024",
    quality: "high",
    background: "opaque",
    output_format: "png",
  };
  const usage = {
    total_tokens: 70,
    input_tokens: 30,
    output_tokens: 40,
    input_tokens_details: { text_tokens: 10, image_tokens: 20 },
  };
  return (
    write({ type: `${kind}.partial_image`, ...shared, partial_image_index: 0 }) +
    write({ type: `${kind}.completed`, ...shared, usage })
  );
}

async function readRequest(incoming: IncomingMessage): Promise<TaskRequest> {
  const { authorization, "content-type": type = "" } = incoming.headers;
  const request: TaskRequest = {
    path: incoming.url ?? "",
    authorization,
    key: incoming.headers["x-goog-api-key"] ?? incoming.headers["api-key"],
    body: {},
    files: [],
  };
  if (!type.startsWith("multipart/")) {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer); // no encoding is set
    const text = Buffer.concat(chunks).toString() || "{}";
    request.body = JSON.parse(text) as TaskRequest["body"];
    return request;
  }
  const form = busboy({ headers: incoming.headers });
  form.on("field", (name, value) => {
    const earlier = request.body[name];
    request.body[name] = earlier === undefined ? value : [earlier, value].flat();
  });
  form.on("file", (field, stream, { filename = "", mimeType }) => {
    const parts: Buffer[] = [];
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("end", () => {
      request.file = { name: filename, type: mimeType, bytes: Buffer.concat(parts) };
      request.files.push({ field, ...request.file });
    });
  });
  await new Promise((resolve) => {
    form.on("close", resolve);
    incoming.pipe(form);
  });
  return request;
}
