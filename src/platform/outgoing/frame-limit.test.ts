import fc from "fast-check";
import { expect, test } from "vitest";
import { frameLimit } from "./frame-limit.ts";

const MAX_BYTES = 500;
const LIMITS = { maxDepth: 5, maxValues: 20 };

/** A message with valid lengths; nothing here reads the checksums. */
function frame(payload: string, headers = '":{[,'): Uint8Array {
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + payload.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  return Buffer.concat([prelude, Buffer.from(headers + payload), Buffer.alloc(4)]);
}

/** Cuts bytes into chunks of random lengths. */
function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const ends = [...new Set(at.map((n) => n % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) =>
    bytes.subarray(ends[index - 1] ?? 0, end),
  );
}

function isRefused(frames: Uint8Array[], at: readonly number[]): boolean {
  const watch = frameLimit(MAX_BYTES, () => new Error("too large"), LIMITS);
  try {
    for (const chunk of cut(Buffer.concat(frames), at)) watch(chunk);
    return false;
  } catch {
    return true;
  }
}

const BAD: Record<string, Uint8Array> = {
  "too long": frame("x".repeat(MAX_BYTES)),
  "too deep": frame(`${"[".repeat(6)}${"]".repeat(6)}`),
  "too many values": frame(`[${"0,".repeat(30)}0]`),
  "shorter than its own lengths": Buffer.from([0, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0, 0]),
};

test("any number of small messages passes, wherever the chunks end", () => {
  const payload = fc.constantFrom("{}", '{"text":"[[[[[[{{{{"}', `[${"0,".repeat(9)}0]`);
  const run = (payloads: string[], at: number[]) => {
    const frames = payloads.map((text) => frame(text));
    expect(isRefused(frames, at)).toBe(false);
  };
  fc.assert(fc.property(fc.array(payload), fc.array(fc.nat()), run));
});

for (const [name, bad] of Object.entries(BAD))
  test(`a message that is ${name} is refused, wherever the chunks end`, () => {
    const run = (before: number, at: number[]) => {
      const frames = [...Array.from({ length: before }, () => frame('{"a":1}')), bad];
      expect(isRefused(frames, at)).toBe(true);
    };
    fc.assert(fc.property(fc.nat(5), fc.array(fc.nat()), run));
  });
