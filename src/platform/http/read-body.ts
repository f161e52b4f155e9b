import { ApiError, BadRequest, RequestTimeout, TooLarge } from "./errors.ts";

/** How long a body may take, and what must have come for each second beyond. Source: security row 40. */
const PATIENCE_MS = 8_000;
const MIN_BYTES_PER_SECOND = 32 * 1024;
/** Up to here a body is read whole, without looking at how it comes. */
const SMALL = PATIENCE_MS * (MIN_BYTES_PER_SECOND / 1_000);
/** How long an upload may stand still. */
const STANDSTILL_MS = 30_000;

/**
 * The body of a request as text, of at most `limit` bytes.
 * @throws TooLarge, RequestTimeout `body_too_slow`, BadRequest `body_incomplete` where its sender left.
 */
export async function readText(request: Request, limit: number): Promise<string> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (length > limit) throw tooLarge(limit);
  if (length <= SMALL) return within(request.text(), PATIENCE_MS);
  const began = performance.now();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const patience = () =>
    PATIENCE_MS + (size / MIN_BYTES_PER_SECOND) * 1_000 - (performance.now() - began);
  for await (const chunk of chunks(request, patience)) {
    size += chunk.byteLength;
    // without a length it shows only while reading
    if (size > limit) throw tooLarge(limit);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The bytes of an upload, which may take as long as they come. @throws RequestTimeout `body_too_slow`, BadRequest `body_incomplete`. */
export function uploadedBytes(request: Request): AsyncIterable<Uint8Array> {
  return chunks(request, () => STANDSTILL_MS);
}

/** `patience`: for how many ms the next chunk is waited for. While its reader is busy no time counts. */
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
