import { setImmediate } from "node:timers/promises";
import {
  checkJson,
  JsonLimitExceeded,
  type JsonLimits,
  JsonMeter,
} from "../json/json-limits.ts";
import { currentContext } from "./context.ts";
import type { Arrival } from "./slow-bodies.ts";
import { ApiError, BadRequest, RequestTimeout, TooLarge } from "./errors.ts";

/** The time limit for a body, and the rate that each further second requires. */
const BODY_TIMEOUT_MS = 8_000;
const MIN_BYTES_PER_SECOND = 32 * 1024;
/** Smaller bodies are read whole, without checking the rate. */
const SMALL_BODY_BYTES = BODY_TIMEOUT_MS * (MIN_BYTES_PER_SECOND / 1_000);
/** The time limit between two chunks of an upload. */
const MAX_UPLOAD_PAUSE_MS = 30_000;

interface Limits extends Partial<JsonLimits> {
  maxBytes: number;
}

/**
 * Reads the body of a request as text, without parsing it but with its JSON limits checked.
 * @throws TooLarge, TooManyRequests, Unavailable, RequestTimeout `body_too_slow`, BadRequest
 * `json_too_deep`, and `body_incomplete` when the client disconnects.
 */
export async function readJsonText(request: Request, limits: Limits): Promise<string> {
  const { maxBytes } = limits;
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length > maxBytes) throw tooLarge(maxBytes);
  try {
    if (length <= SMALL_BODY_BYTES) return await readSmall(request, length, limits);
    const text = await readLarge(request, limits);
    // parse in a later turn of the event loop
    await setImmediate();
    return text;
  } catch (error) {
    throw error instanceof JsonLimitExceeded ? refusal(error) : error;
  }
}

async function readSmall(
  request: Request,
  length: number,
  limits: Limits,
): Promise<string> {
  const share = currentContext()?.body;
  share?.take(length);
  const arrival = share?.begin();
  try {
    const text = await readInTime(request.text(), BODY_TIMEOUT_MS, arrival);
    checkJson(text, limits);
    return text;
  } finally {
    arrival?.end();
  }
}

/**
 * Reads a body that exceeds a limit to its end and drops it, so that the client receives the
 * answer.
 */
async function readLarge(request: Request, limits: Limits): Promise<string> {
  const share = currentContext()?.body;
  const meter = new JsonMeter(limits);
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  let failure: unknown;
  for await (const chunk of chunksAtMinRate(request)) {
    size += chunk.byteLength;
    // without a Content-Length the size shows only while reading
    if (size > limits.maxBytes) throw tooLarge(limits.maxBytes);
    if (failure !== undefined) continue;
    try {
      share?.take(chunk.byteLength);
      meter.push(chunk);
      text += decoder.decode(chunk, { stream: true });
    } catch (error) {
      failure = error;
      text = "";
    }
  }
  if (failure !== undefined) throw failure;
  return text + decoder.decode();
}

/**
 * Yields the bytes of an upload, which may take as long as bytes keep arriving.
 * @throws RequestTimeout `body_too_slow`, BadRequest `body_incomplete`.
 */
export function uploadedBytes(request: Request): AsyncIterable<Uint8Array> {
  return chunks(request, () => MAX_UPLOAD_PAUSE_MS);
}

/**
 * Collects bytes of an upload for which there is room. They count for the memory of all bodies.
 * @throws what `tooLarge` returns.
 */
export async function collectBytes(
  bytes: AsyncIterable<Uint8Array>,
  room: { bytesLeft: number },
  tooLarge: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const share = currentContext()?.body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) {
    room.bytesLeft -= chunk.byteLength;
    if (room.bytesLeft < 0) throw tooLarge();
    share?.take(chunk.byteLength);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Yields chunks that must arrive at the minimum rate. */
async function* chunksAtMinRate(request: Request): AsyncGenerator<Uint8Array> {
  const began = performance.now();
  let size = 0;
  const remainingMs = () =>
    BODY_TIMEOUT_MS + (size / MIN_BYTES_PER_SECOND) * 1_000 - (performance.now() - began);
  for await (const chunk of chunks(request, remainingMs)) {
    size += chunk.byteLength;
    yield chunk;
  }
}

/**
 * `remainingMs`: how many ms to wait for the next chunk. The time that the reader takes does not
 * count.
 */
async function* chunks(
  request: Request,
  remainingMs: () => number,
): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  const arrival = currentContext()?.body?.begin();
  try {
    for (;;) {
      const { done, value } = await readInTime(reader.read(), remainingMs(), arrival);
      if (done) return;
      yield value;
    }
  } finally {
    arrival?.end();
    // the client may have gone, which is why reading ends
    reader.cancel().catch(() => {});
  }
}

async function readInTime<T>(
  reading: Promise<T>,
  ms: number,
  arrival: Arrival | undefined,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), Math.max(0, ms));
    if (arrival?.refusal) reject(arrival.refusal);
    if (arrival) arrival.onRefused = reject;
  });
  try {
    return await Promise.race([reading, late]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new BadRequest(
      "body_incomplete",
      "The body ended too early. Send the request again.",
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

function refusal({ code, message }: JsonLimitExceeded): ApiError {
  return code === "json_too_deep"
    ? new BadRequest(code, message)
    : new TooLarge(code, message);
}

function tooLarge(limit: number): TooLarge {
  return new TooLarge(
    "body_too_large",
    `The body is larger than ${limit} bytes, the most that this endpoint takes. Send less.`,
    { params: { maxBytes: limit } },
  );
}

function tooSlow(): RequestTimeout {
  return new RequestTimeout(
    "body_too_slow",
    "The body came too slowly. Send the request again over a faster connection.",
  );
}
