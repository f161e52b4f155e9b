import { type JsonLimits, JsonMeter } from "../json/json-limits.ts";
import { measure, type Watch } from "./bounded-body.ts";

/** Two lengths and their checksum, 32 bits each, begin a message. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

/**
 * Throws `failure` for a message of an AWS event stream that is longer than `maxBytes` or beyond
 * the limits of JSON: readers of the format collect and parse a message without a limit.
 * Source: AWS, event stream encoding.
 */
export function frameLimit(
  maxBytes: number,
  failure: () => Error,
  limits: Partial<JsonLimits> = {},
): Watch {
  const prelude = new Uint8Array(PRELUDE_BYTES);
  let preludeBytes = 0;
  let headerBytes = 0;
  let payloadBytes = 0;
  let checksumBytes = 0;
  let meter = new JsonMeter(limits);

  const begin = () => {
    const view = new DataView(prelude.buffer);
    const length = view.getUint32(0);
    const contentBytes = length - PRELUDE_BYTES - CHECKSUM_BYTES;
    if (length > maxBytes || contentBytes < 0) throw failure();
    // a reader refuses headers that are longer than their message
    headerBytes = Math.min(view.getUint32(4), contentBytes);
    payloadBytes = contentBytes - headerBytes;
    checksumBytes = CHECKSUM_BYTES;
    preludeBytes = 0;
    meter = new JsonMeter(limits);
  };
  /** @returns how many bytes of the chunk belong to the current part of a message. */
  const take = (chunk: Uint8Array): number => {
    if (headerBytes > 0) {
      const count = Math.min(headerBytes, chunk.byteLength);
      headerBytes -= count;
      return count;
    }
    if (payloadBytes > 0) {
      const count = Math.min(payloadBytes, chunk.byteLength);
      measure(meter, chunk.subarray(0, count), failure);
      payloadBytes -= count;
      return count;
    }
    if (checksumBytes > 0) {
      const count = Math.min(checksumBytes, chunk.byteLength);
      checksumBytes -= count;
      return count;
    }
    const count = Math.min(PRELUDE_BYTES - preludeBytes, chunk.byteLength);
    prelude.set(chunk.subarray(0, count), preludeBytes);
    preludeBytes += count;
    if (preludeBytes === PRELUDE_BYTES) begin();
    return count;
  };
  return (chunk) => {
    let rest = chunk;
    while (rest.byteLength > 0) rest = rest.subarray(take(rest));
  };
}
