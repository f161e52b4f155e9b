import { createDecipheriv, hash } from "node:crypto";
import { encrypted } from "../refuse-file.ts";

const HEADER_AT = 12;
const KEY_BITS_AT = 16;
const ALGORITHM_AT = 8;
/** AES with keys of 128, 192 and 256 bits. */
const ALGORITHMS = [0x660e, 0x660f, 0x6610];
const BLOCK_BYTES = 16;
const HASH_BYTES = 20;
const HASHES = 50_000;

/**
 * Decrypts files of Office 2007, and of libraries since. Source: [MS-OFFCRYPTO] 2.3.4.5 to 2.3.4.9.
 */
// oxlint-disable-next-line typescript/require-await
export async function openStandard(
  info: Buffer,
  text: Buffer,
  password: string,
): Promise<Buffer | undefined> {
  const verifierAt = HEADER_AT + info.readUInt32LE(8);
  const header = info.subarray(HEADER_AT, verifierAt);
  if (!ALGORITHMS.includes(header.readUInt32LE(ALGORITHM_AT))) throw encrypted();
  const keyBytes = header.readUInt32LE(KEY_BITS_AT) / 8;
  const saltAt = verifierAt + 4;
  const salt = info.subarray(saltAt, saltAt + BLOCK_BYTES);
  const verifier = info.subarray(saltAt + BLOCK_BYTES, saltAt + 2 * BLOCK_BYTES);
  const hashAt = saltAt + 2 * BLOCK_BYTES + 4;
  const key = keyOf(salt, password, keyBytes);
  const verified = sha1(decipher(key, verifier));
  const expected = decipher(key, info.subarray(hashAt, hashAt + 2 * BLOCK_BYTES));
  if (!expected.subarray(0, HASH_BYTES).equals(verified)) return undefined;
  return decipher(key, text);
}

function keyOf(salt: Buffer, password: string, keyBytes: number): Buffer {
  let hashed = sha1(salt, Buffer.from(password, "utf16le"));
  for (let at = 0; at < HASHES; at += 1) hashed = sha1(toBytes(at), hashed);
  const last = sha1(hashed, toBytes(0));
  const derived = [0x36, 0x5c].map((mask) => {
    const block = Buffer.alloc(64, mask);
    for (const [at, byte] of last.entries()) block[at] = mask ^ byte;
    return sha1(block);
  });
  return Buffer.concat(derived).subarray(0, keyBytes);
}

function sha1(...parts: Buffer[]): Buffer {
  return hash("sha1", Buffer.concat(parts), "buffer");
}

function toBytes(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function decipher(key: Buffer, text: Buffer): Buffer {
  const whole = text.subarray(0, text.length - (text.length % BLOCK_BYTES));
  const aes = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null);
  aes.setAutoPadding(false);
  return Buffer.concat([aes.update(whole), aes.final()]);
}
