import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const TRUECOLOUR = 2;
/**
 * PNG's filter `Up`: each row is stored as the difference from the row above, which is mostly
 * small.
 */
const UP = 2;

/**
 * Encodes a picture as PNG, without transparency.
 * @param pixels RGBA, or any four bytes per pixel that begin with red, green and blue, row by row
 * @param stride the number of bytes per row
 */
export function writePng(
  pixels: Uint8Array,
  width: number,
  height: number,
  stride: number,
): Uint8Array {
  const row = width * 3 + 1;
  const raw = new Uint8Array(row * height);
  for (let y = 0; y < height; y += 1) {
    raw[y * row] = UP;
    let to = y * row + 1;
    for (let x = 0; x < width; x += 1) {
      const from = y * stride + x * 4;
      const above = from - stride;
      for (let channel = 0; channel < 3; channel += 1) {
        raw[to] =
          (pixels[from + channel] ?? 0) - (y === 0 ? 0 : (pixels[above + channel] ?? 0));
        to += 1;
      }
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8;
  header[9] = TRUECOLOUR;
  const parts = [
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(raw, { level: 3 })),
    chunk("IEND", new Uint8Array()),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
