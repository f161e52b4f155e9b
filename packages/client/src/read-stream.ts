import type { ServerEvent } from "./call-types.ts";
import { TimeoutError } from "./errors.ts";
import type { Sent } from "./send.ts";

/** Streams of the server say at least every 15 seconds that they are alive. */
const SILENCE_MS = 60_000;
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** Reads server-sent events. `[DONE]`, which ends streams of OpenAI's protocol, is none. */
export async function* readEvents(
  sent: Sent,
): AsyncGenerator<ServerEvent<string, unknown>> {
  let event = "";
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of readLines(sent)) {
    if (line === "") {
      const text = data.join("\n");
      const isEvent = data.length > 0 && text !== "[DONE]";
      if (isEvent)
        yield {
          event: event || "message",
          data: JSON.parse(text) as unknown,
          ...(id !== undefined && { id }),
        };
      event = "";
      data = [];
      continue;
    }
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    if (field === "data") data.push(value);
    if (field === "id") id = value;
  }
}

/** Reads lines of JSON. */
export async function* readJsonLines(sent: Sent): AsyncGenerator<unknown> {
  for await (const line of readLines(sent))
    if (line !== "") yield JSON.parse(line) as unknown;
}

/** The lines of an answer, however the network cuts it. Whoever stops early ends the request. */
async function* readLines({ response, abort }: Sent): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let rest = "";
  let isDone = false;
  try {
    while (!isDone) {
      const timer = setTimeout(() => abort.abort(new TimeoutError(SILENCE_MS)), SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      isDone = done;
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      if (rest.length > MAX_LINE_CHARACTERS)
        throw new Error("a line of the stream is too long");
      yield* lines;
    }
    if (rest !== "") yield rest;
  } finally {
    if (!isDone) abort.abort();
  }
}
