import { errorFailure } from "../explain-refusal.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import { Lines } from "../openai-client/event-lines.ts";
import type { TranslatedRequest } from "../providers/media-endpoint.ts";
import { invalidFailure } from "../provider-failures.ts";

type Translation = ReturnType<NonNullable<TranslatedRequest["stream"]>>;

/** The events of another API as those of OpenAI's. */
export function translatedEvents(response: Response, translation: Translation): Response {
  const pieces = translated(response, translation);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel(reason) {
      await response.body?.cancel(reason).catch(() => {}); // it is being read: its end comes by its signal
      await pieces.return();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function* translated(
  response: Response,
  { next, end }: Translation,
): AsyncGenerator<string, void, undefined> {
  const lines = new Lines();
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const text = take(lines, decoder.decode(bytes, { stream: true }), next);
    if (text !== "") yield text;
  }
  yield take(lines, `${decoder.decode()}\n`, next) + written(end());
}

function take(lines: Lines, text: string, next: Translation["next"]): string {
  let events = "";
  lines.push(text, (line) => {
    if (!line.startsWith("data:")) return;
    const event = read(line.slice("data:".length));
    if (isRecord(event) && event["error"]) throw errorFailure(event["error"]);
    events += written(next(event));
  });
  return events;
}

function read(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    throw invalidFailure(error);
  }
}

function written(events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}
