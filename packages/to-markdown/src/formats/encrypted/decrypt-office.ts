import { FileError } from "../../file-error.ts";
import { openCompound } from "../legacy/compound/open-compound.ts";
import { damaged, encrypted } from "../refuse-file.ts";
import { openAgile } from "./agile-encryption.ts";
import { createDecipheriv, hash } from "node:crypto";

const SIZE_BYTES = 8;
/** The minor versions of the description. */
const AGILE = 4;
const STANDARD = 2;

/** Returns the content of a package without padding; undefined for a wrong password. */
export type Decrypt = (
  info: Buffer,
  text: Buffer,
  password: string,
) => Promise<Buffer | undefined>;

/**
 * Decrypts a password-protected Office file, as Office 2007 and later write it.
 * @returns the bytes of the DOCX, XLSX or PPTX
 * @throws FileError `file_encrypted` for another kind of encryption, `wrong_password`,
 * `file_damaged`, `too_complex`
 * Source: [MS-OFFCRYPTO] 2.3.4.
 */
export async function decryptOffice(bytes: Uint8Array, password: string): Promise<Buffer> {
  const compound = openCompound(bytes);
  const info = compound.stream("EncryptionInfo");
  const content = compound.stream("EncryptedPackage");
  if (!info || !content) throw damaged();
  try {
    const decrypt = methodOf(info);
    const opened = await decrypt(info, content.subarray(SIZE_BYTES), password);
    if (!opened) throw wrongPassword();
    return opened.subarray(0, Number(content.readBigUInt64LE(0)));
  } catch (error) {
    if (error instanceof FileError) throw error;
    // an offset beyond the end, or a length that is not a multiple of the block size
    throw damaged(error);
  }
}

function methodOf(info: Buffer): Decrypt {
  const minor = info.readUInt16LE(2);
  if (minor === AGILE) return openAgile;
  if (minor === STANDARD) return openStandard;
  throw encrypted();
}

function wrongPassword(): FileError {
  return new FileError(
    "wrong_password",
    "The file is protected, and the password given does not open it. Check it and try again.",
  );
}

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
async function openStandard(
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
