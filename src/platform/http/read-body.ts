import { setImmediate } from "node:timers/promises";
import { checkJson, JsonLimitExceeded, type JsonLimits, JsonMeter } from "../json/json-limits.ts";
import { currentContext } from "./context.ts";
import { ApiError, BadRequest, RequestTimeout, TooLarge } from "./errors.ts";

/** How long a body may take, and what must have come for each second beyond. */
const PATIENCE_MS = 8_000;
const MIN_BYTES_PER_SECOND = 32 * 1024;
/** Up to here a body is read whole, without looking at how it comes. */
const SMALL = PATIENCE_MS * (MIN_BYTES_PER_SECOND / 1_000);
/** How long an upload may stand still. */
const STANDSTILL_MS = 30_000;

interface Limits extends Partial<JsonLimits> {
  maxBytes: number;
}

/**
 * The body of a request as text, which is not parsed yet but holds no more JSON than the limits.
 * @throws TooLarge, TooManyRequests, Unavailable, RequestTimeout `body_too_slow`, BadRequest
 * `json_too_deep`, and `body_incomplete` where its sender left.
 */
export async function readJsonText(request: Request, limits: Limits): Promise<string> {
  const { maxBytes } = limits;
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length > maxBytes) throw tooLarge(maxBytes);
  try {
    if (length <= SMALL) return await readSmall(request, length, limits);
    const text = await readLarge(request, limits);
    // what has come by now is not parsed in the same turn of the event loop
    await setImmediate();
    return text;
  } catch (error) {
    throw error instanceof JsonLimitExceeded ? refusal(error) : error;
  }
}

async function readSmall(request: Request, length: number, limits: Limits): Promise<string> {
  currentContext()?.body?.take(length);
  const text = await within(request.text(), PATIENCE_MS);
  checkJson(text, limits);
  return text;
}

/**
 * A body that breaks a limit is read to its end and dropped, so that its sender sees the answer.
 */
async function readLarge(request: Request, limits: Limits): Promise<string> {
  const share = currentContext()?.body;
  const meter = new JsonMeter(limits);
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  let failure: unknown;
  for await (const chunk of patientChunks(request)) {
    size += chunk.byteLength;
    // without a length it shows only while reading
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
 * The bytes of an upload, which may take as long as they come.
 * @throws RequestTimeout `body_too_slow`, BadRequest `body_incomplete`.
 */
export function uploadedBytes(request: Request): AsyncIterable<Uint8Array> {
  return chunks(request, () => STANDSTILL_MS);
}

/** Chunks that must come as fast as a slow connection brings them. */
async function* patientChunks(request: Request): AsyncGenerator<Uint8Array> {
  const began = performance.now();
  let size = 0;
  const patience = () =>
    PATIENCE_MS + (size / MIN_BYTES_PER_SECOND) * 1_000 - (performance.now() - began);
  for await (const chunk of chunks(request, patience)) {
    size += chunk.byteLength;
    yield chunk;
  }
}

/**
 * `patience`: for how many ms the next chunk is waited for. While its reader is busy no time
 * counts.
 */
async function* chunks(request: Request, patience: () => number): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), patience());
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function within<T>(reading: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), Math.max(0, ms));
  });
  try {
    return await Promise.race([reading, late]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new BadRequest(
      "body_incomplete",
      "The body broke off before its end. Send the request again.",
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

function refusal({ code, message }: JsonLimitExceeded): ApiError {
  return code === "json_too_deep" ? new BadRequest(code, message) : new TooLarge(code, message);
}

function tooLarge(limit: number): TooLarge {
  return new TooLarge(
    "body_too_large",
    `The body is larger than ${limit} bytes, the most that this endpoint takes.`,
  );
}

function tooSlow(): RequestTimeout {
  return new RequestTimeout(
    "body_too_slow",
    "The body came too slowly. Send the request again over a faster connection.",
  );
}
