/**
 * How a process of the sandbox and the service talk: frames of a kind, a length and so many bytes.
 * Node's own channel between processes trusts both ends; here one of them runs people's code.
 */
export interface Frame {
  kind: "message" | "bytes";
  payload: Buffer;
}

/** A longer one ends the process that sends it. */
export const MAX_FRAME_BYTES = 2 ** 20;
/** Of the bytes of a file, so that the service does other things between two frames. */
export const CHUNK_BYTES = 256 * 1024;

const HEADER_BYTES = 5;
const MESSAGE = 0x4a;
const BYTES = 0x42;

export function encodeMessage(message: unknown): Buffer {
  return encode(MESSAGE, Buffer.from(JSON.stringify(message)));
}

export function encodeBytes(bytes: Uint8Array): Buffer {
  return encode(BYTES, bytes);
}

function encode(kind: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.byteLength);
  frame[0] = kind;
  frame.writeUInt32BE(payload.byteLength, 1);
  frame.set(payload, HEADER_BYTES);
  return frame;
}

/** Reads what the beginning of a frame says. @throws Error for what no frame begins with. */
export function decodeHeader(header: Uint8Array): { kind: Frame["kind"]; length: number } {
  const view = new DataView(header.buffer, header.byteOffset, HEADER_BYTES);
  const first = view.getUint8(0);
  const length = view.getUint32(1);
  if ((first !== MESSAGE && first !== BYTES) || length > MAX_FRAME_BYTES)
    throw new Error("the process of the sandbox sent something that is no frame");
  return { kind: first === MESSAGE ? "message" : "bytes", length };
}

/**
 * The frames of a stream, which is read no faster than they are taken.
 * @throws Error as `decodeHeader`.
 */
export async function* readFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let kept: Buffer[] = [];
  let size = 0;
  let header: ReturnType<typeof decodeHeader> | undefined;
  for await (const chunk of stream) {
    kept.push(chunk);
    size += chunk.byteLength;
    if (size < (header ? header.length : HEADER_BYTES)) continue;
    let rest = kept.length === 1 ? chunk : Buffer.concat(kept);
    for (;;) {
      const wanted = header ? header.length : HEADER_BYTES;
      if (rest.byteLength < wanted) break;
      const part = rest.subarray(0, wanted);
      rest = rest.subarray(wanted);
      if (header) {
        yield { kind: header.kind, payload: part };
        header = undefined;
      } else header = decodeHeader(part);
    }
    kept = rest.byteLength > 0 ? [rest] : [];
    size = rest.byteLength;
  }
}
