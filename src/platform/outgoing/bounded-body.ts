import { type JsonLimits, JsonMeter } from "../json/json-limits.ts";

/** Sees the bytes of a body as they pass. Throws to end it. */
export type Watch = (chunk: Uint8Array) => void;

/** The response, its body seen part by part by `see`. */
export function watched(response: Response, see: Watch): Response {
  return through(response, (chunk, controller) => {
    see(chunk);
    controller.enqueue(chunk);
  });
}

/** The response with the first `most` bytes of its body, as unpacked. */
export function beginningOf(response: Response, most: number): Response {
  let left = most;
  return through(response, (chunk, controller) => {
    controller.enqueue(chunk.subarray(0, left));
    left -= chunk.byteLength;
    if (left <= 0) controller.terminate();
  });
}

/** Throws `failure` when a body is longer than `most` bytes. */
export function byteLimit(most: number, failure: () => Error): Watch {
  let left = most;
  return (chunk) => {
    left -= chunk.byteLength;
    if (left < 0) throw failure();
  };
}

/** Throws `failure` when a body of JSON is longer than `most` bytes or holds too much JSON. */
export function jsonLimit(
  most: number,
  failure: () => Error,
  limits: Partial<JsonLimits> = {},
): Watch {
  const meter = new JsonMeter(limits);
  const count = byteLimit(most, failure);
  return (chunk) => {
    count(chunk);
    measure(meter, chunk, failure);
  };
}

/**
 * Throws `failure` when a server-sent event is longer than `most` bytes or holds too much JSON, in
 * one line or in many: those who read events gather each one without end and parse it at once.
 */
export function eventLimit(
  most: number,
  failure: () => Error,
  limits: Partial<JsonLimits> = {},
): Watch {
  let meter = new JsonMeter(limits);
  /** Bytes of the event so far, of its line, and the line's first byte. */
  let event = 0;
  let line = 0;
  let first = 0;
  return (chunk) => {
    for (let from = 0; from < chunk.byteLength;) {
      const end = chunk.indexOf(10, from);
      const step = (end < 0 ? chunk.byteLength : end) - from;
      if (line === 0) first = chunk[from] ?? 0;
      line += step;
      event += step;
      if (event > most) throw failure();
      measure(meter, chunk.subarray(from, from + step), failure);
      if (end < 0) return;
      meter.endLine();
      if (line === 0 || (line === 1 && first === 13)) {
        event = 0;
        meter = new JsonMeter(limits);
      }
      line = 0;
      from = end + 1;
    }
  };
}

function measure(meter: JsonMeter, bytes: Uint8Array, failure: () => Error): void {
  try {
    meter.push(bytes);
  } catch {
    throw failure();
  }
}

function through(
  response: Response,
  transform: (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) => void,
): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  return new Response(
    body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ transform })),
    {
      status,
      statusText,
      headers,
    },
  );
}
