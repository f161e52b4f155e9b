import { expect, test } from "vitest";
import { encodeBytes, encodeMessage, MAX_FRAME_BYTES, readFrames } from "./frames.ts";

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
}

async function collect(bytes: Buffer, size: number) {
  const frames = [];
  for await (const { kind, payload } of readFrames(inPieces(bytes, size)))
    frames.push([kind, payload.toString()]);
  return frames;
}

test.each([1, 3, 7, 4_096])("frames arrive whole in pieces of %i bytes", async (size) => {
  const sent = [
    encodeMessage({ a: "ä" }),
    encodeBytes(Buffer.from("bytes")),
    encodeBytes(Buffer.of()),
  ];
  expect(await collect(Buffer.concat(sent), size)).toEqual([
    ["message", '{"a":"ä"}'],
    ["bytes", "bytes"],
    ["bytes", ""],
  ]);
});

test("refuses what no frame begins with, and one that is too long, before it arrives", async () => {
  await expect(collect(Buffer.from("garbage"), 7)).rejects.toThrow("no frame");
  const header = Buffer.from([0x4a, 0, 0, 0, 0]);
  header.writeUInt32BE(MAX_FRAME_BYTES + 1, 1);
  await expect(collect(header, 5)).rejects.toThrow("no frame");
});
