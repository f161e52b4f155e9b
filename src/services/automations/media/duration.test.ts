import { afterAll, expect, test } from "vitest";
import type { Files } from "../../../platform/files/files.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { createWorkers } from "../../../platform/workers/workers.ts";
import { durationOf } from "./duration.ts";

const workers = createWorkers({ size: 1 });
afterAll(() => workers[Symbol.asyncDispose]());

const filesWith = (bytes: Uint8Array) =>
  ({
    read: () => Promise.resolve(new Blob([new Uint8Array(bytes)]).stream()),
  }) as Partial<Files> as Files; // only `read` is called
const durationIn = (mimeType: string, bytes: Buffer) =>
  durationOf({ files: filesWith(bytes), workers }, "key", { mimeType, size: bytes.length });
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/**
 * Silent frames of MPEG-1 Layer III (ISO 11172-3), 128 kbit/s at 44,100 Hz: 1,152 samples in 417
 * bytes.
 */
const mp3 = (frames: number) =>
  Buffer.concat(
    Array.from({ length: frames }, () =>
      Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]),
    ),
  );

/** `ftyp` and a `moov` with one sound track (ISO 14496-12). */
const box = (name: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(name, "latin1"), body]);
};
const zeros = (count: number) => Buffer.alloc(count);
const mp4 = (seconds: number) => {
  const sample = box(
    "mp4a",
    zeros(6),
    Buffer.from([0, 1]),
    zeros(8),
    Buffer.from([0, 2, 0, 16]),
    zeros(4),
    u32(1_000 << 16),
  );
  const mdia = box(
    "mdia",
    box("mdhd", zeros(12), u32(1_000), u32(seconds * 1_000), zeros(4)),
    box("hdlr", zeros(8), Buffer.from("soun"), zeros(13)),
    box(
      "minf",
      box(
        "stbl",
        box("stsd", zeros(4), u32(1), sample),
        box("stsz", zeros(8), u32(1), u32(9)),
      ),
    ),
  );
  const head = box("tkhd", zeros(12), u32(1), zeros(68));
  return Buffer.concat([
    box("ftyp", Buffer.from("M4A "), zeros(4), Buffer.from("M4A isom")),
    box(
      "moov",
      box("mvhd", zeros(12), u32(1_000), u32(seconds * 1_000), zeros(80)),
      box("trak", head, mdia),
    ),
  ]);
};

/** EBML header and a segment with its information and one sound track (RFC 8794, RFC 9559). */
const element = (id: number[], ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  const size = u32(body.length);
  size[0] = 0x10;
  return Buffer.concat([Buffer.from(id), size, body]);
};
const double = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};
const webm = (seconds: number) => {
  const info = [
    element([0x2a, 0xd7, 0xb1], u32(1_000_000)),
    element([0x44, 0x89], double(seconds * 1_000)),
  ];
  const audio = element(
    [0xe1],
    element([0xb5], double(48_000)),
    element([0x9f], Buffer.from([1])),
  );
  const codec = element([0x86], Buffer.from("A_OPUS"));
  const track = element(
    [0xae],
    element([0xd7], Buffer.from([1])),
    element([0x83], Buffer.from([2])),
    codec,
    audio,
  );
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], Buffer.from("webm"))),
    element(
      [0x18, 0x53, 0x80, 0x67],
      element([0x15, 0x49, 0xa9, 0x66], ...info),
      element([0x16, 0x54, 0xae, 0x6b], track),
    ),
  ]);
};

/**
 * Opus in Ogg (RFC 3533, RFC 7845): its head, its tags, and a last page with the number of the last
 * sample.
 */
const page = (flags: number, samples: number, number: number, body: Buffer) => {
  const header = Buffer.alloc(27);
  header.write("OggS", 0);
  header[5] = flags;
  header.writeBigUInt64LE(BigInt(samples), 6);
  header.writeUInt32LE(7, 14);
  header.writeUInt32LE(number, 18);
  header[26] = 1;
  return Buffer.concat([header, Buffer.from([body.length]), body]);
};
const ogg = (seconds: number) => {
  const head = Buffer.from("OpusHead\u0001\u0001\0\0\0\0\0\0\0\0\0", "latin1");
  head.writeUInt32LE(48_000, 12);
  const tags = Buffer.concat([Buffer.from("OpusTags"), Buffer.alloc(8)]);
  return Buffer.concat([
    page(2, 0, 0, head),
    page(0, 0, 1, tags),
    page(4, seconds * 48_000, 2, Buffer.alloc(10)),
  ]);
};

test.each([
  ["audio/mpeg", mp3(100), (100 * 1_152) / 44_100],
  ["audio/mp4", mp4(12), 12],
  ["video/webm", webm(7.5), 7.5],
  ["audio/ogg", ogg(3), 3],
])("the duration of %s is read", async (mimeType, bytes, seconds) => {
  expect(await durationIn(mimeType, bytes)).toBeCloseTo(seconds, 1);
});

test("broken media have no duration, and reading them does not block the event loop", async () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from("RIFF"),
    mp4(12).subarray(0, 30),
    Buffer.alloc(100_000, 0xff),
  ])
    expect(await durationIn("audio/mpeg", bytes)).toBeUndefined();
  // bytes that look like frame headers keep the parser busy
  let turns = 0;
  const others = setInterval(() => (turns += 1), 1);
  await durationIn("audio/mpeg", Buffer.alloc(30_000, 0xff));
  clearInterval(others);
  expect(turns).toBeGreaterThan(5);
});

test("a medium is read in a worker process, and one that is too large is not read", async () => {
  const asked: number[] = [];
  const files = {
    read: (key: string) => {
      asked.push(key.length);
      return Promise.resolve(new Blob([new Uint8Array(mp4(12))]).stream());
    },
  };
  const none = {
    run: () => Promise.reject(new ApiError(422, "too_complex", "The file takes too long.")),
  };
  const medium = { mimeType: "audio/mp4", size: 1_000 };
  expect(await durationOf({ files, workers: none }, "key", medium)).toBeUndefined();
  expect(asked).toHaveLength(1);
  const large = { mimeType: "audio/mp4", size: 26 * 2 ** 20 };
  expect(await durationOf({ files, workers }, "key", large)).toBeUndefined();
  expect(asked).toHaveLength(1);
});
