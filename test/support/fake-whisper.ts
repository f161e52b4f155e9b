import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import busboy from "busboy";

/** A request as the endpoint parsed it. */
export interface Transcribed {
  path: string;
  authorization: string | undefined;
  contentLength: string | undefined;
  fields: Record<string, string>;
  file: { name: string; mimeType: string; bytes: Buffer } | undefined;
}

export interface FakeWhisper extends AsyncDisposable {
  /** Ends before /v1/audio/transcriptions. */
  url: string;
  requests: Transcribed[];
  /** Requests whose caller disconnected before the answer. */
  aborted: number;
  /** The answers from now on. `undefined`: none. */
  answer(
    make: (request: Transcribed) => { status?: number; body: string } | undefined,
  ): void;
}

/**
 * A transcription endpoint on a real socket that follows OpenAI's audio API: multipart requests,
 * `verbose_json` answers.
 */
export async function startFakeWhisper(): Promise<FakeWhisper> {
  let make: Parameters<FakeWhisper["answer"]>[0] = () => ({
    body: verbose("Hello from the recording."),
  });
  const server = createServer((incoming, outgoing) => {
    const { authorization, "content-length": contentLength } = incoming.headers;
    const request: Transcribed = {
      path: incoming.url ?? "",
      authorization,
      contentLength,
      fields: {},
      file: undefined,
    };
    outgoing.once("close", () => (whisper.aborted += outgoing.writableFinished ? 0 : 1));
    const form = busboy({ headers: incoming.headers });
    form.on("field", (name, value) => (request.fields[name ?? ""] = value));
    form.on("file", (_, stream, { filename, mimeType }) => {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on(
        "end",
        () =>
          (request.file = { name: filename ?? "", mimeType, bytes: Buffer.concat(parts) }),
      );
    });
    form.on("close", () => {
      whisper.requests.push(request);
      const answer = make(request);
      if (answer)
        outgoing
          .writeHead(answer.status ?? 200, { "content-type": "application/json" })
          .end(answer.body);
    });
    incoming.pipe(form);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const whisper: FakeWhisper = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    aborted: 0,
    answer: (next) => void (make = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return whisper;
}

/** The answer of OpenAI to `response_format=verbose_json`. */
export function verbose(
  text: string,
  { language = "english", duration = 8.47 } = {},
): string {
  return JSON.stringify({
    task: "transcribe",
    language,
    duration,
    text,
    segments: [
      {
        id: 0,
        seek: 0,
        start: 0,
        end: duration,
        text,
        tokens: [50364],
        temperature: 0,
        avg_logprob: -0.28,
        compression_ratio: 1.2,
        no_speech_prob: 0.01,
      },
    ],
    usage: { type: "duration", seconds: Math.ceil(duration) },
  });
}

/** A recording of silence: 16-bit mono PCM in a WAV container. */
export function wav(seconds: number, rate = 8_000): Buffer {
  const samples = Math.round(seconds * rate) * 2;
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples)]);
}
