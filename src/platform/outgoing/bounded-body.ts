import { type JsonLimits, JsonMeter } from "../json/json-limits.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Receives the bytes of a body as they pass. Throws to end it. */
export type Watch = (chunk: Uint8Array) => void;

/** Passes each chunk of a body to `watch` first. */
export function watched(response: Response, watch: Watch): Response {
  return through(response, (chunk, controller) => {
    watch(chunk);
    controller.enqueue(chunk);
  });
}

/** Cuts a body after `maxBytes` of its decompressed bytes. */
export function beginningOf(response: Response, maxBytes: number): Response {
  let left = maxBytes;
  return through(response, (chunk, controller) => {
    controller.enqueue(chunk.subarray(0, left));
    left -= chunk.byteLength;
    if (left <= 0) controller.terminate();
  });
}

/**
 * Reads a body of at most `maxBytes` decompressed bytes.
 * @throws what `tooLarge` returns, and what reading throws.
 */
export async function readBounded(
  { body }: Response,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // leaving the loop cancels the body
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Throws `failure` for a body longer than `maxBytes`. */
export function byteLimit(maxBytes: number, failure: () => Error): Watch {
  let left = maxBytes;
  return (chunk) => {
    left -= chunk.byteLength;
    if (left < 0) throw failure();
  };
}

/** Throws `failure` for a body of JSON longer than `maxBytes` or beyond the limits. */
export function jsonLimit(
  maxBytes: number,
  failure: () => Error,
  limits: Partial<JsonLimits> = {},
): Watch {
  const meter = new JsonMeter(limits);
  const count = byteLimit(maxBytes, failure);
  return (chunk) => {
    count(chunk);
    measure(meter, chunk, failure);
  };
}

/**
 * Throws `failure` for a server-sent event longer than `maxBytes` or beyond the limits, in one line
 * or in many: readers collect an event without a limit and parse it at once.
 */
export function eventLimit(
  maxBytes: number,
  failure: () => Error,
  limits: Partial<JsonLimits> = {},
): Watch {
  let meter = new JsonMeter(limits);
  let eventBytes = 0;
  let lineBytes = 0;
  let firstByte = 0;
  return (chunk) => {
    for (let from = 0; from < chunk.byteLength;) {
      const end = chunk.indexOf(LINE_FEED, from);
      const step = (end < 0 ? chunk.byteLength : end) - from;
      if (lineBytes === 0) firstByte = chunk[from] ?? 0;
      lineBytes += step;
      eventBytes += step;
      if (eventBytes > maxBytes) throw failure();
      measure(meter, chunk.subarray(from, from + step), failure);
      if (end < 0) return;
      meter.endLine();
      const isEmptyLine =
        lineBytes === 0 || (lineBytes === 1 && firstByte === CARRIAGE_RETURN);
      if (isEmptyLine) {
        eventBytes = 0;
        meter = new JsonMeter(limits);
      }
      lineBytes = 0;
      from = end + 1;
    }
  };
}

/** Measures JSON. @throws what `failure` returns beyond the limits. */
export function measure(meter: JsonMeter, bytes: Uint8Array, failure: () => Error): void {
  try {
    meter.push(bytes);
  } catch {
    throw failure();
  }
}

function through(
  response: Response,
  transform: (
    chunk: Uint8Array,
    controller: TransformStreamDefaultController<Uint8Array>,
  ) => void,
): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const passed = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({ transform }),
  );
  return new Response(passed, { status, statusText, headers });
}
