import { createDecipheriv, hash } from "node:crypto";
import { attributeOf, type Element, findIn, readXmlTree } from "../xml-tree.ts";
import { damaged, encrypted, tooComplex } from "../refuse-file.ts";

/** The parameters of an encryption, as an element of the description states them. */
interface Cipher {
  hashName: string;
  keyBytes: number;
  blockBytes: number;
  salt: Buffer;
}

const HEADER_BYTES = 8;
const SEGMENT_BYTES = 4_096;
const HASHES: Record<string, string> = {
  SHA1: "sha1",
  "SHA-1": "sha1",
  SHA256: "sha256",
  SHA384: "sha384",
  SHA512: "sha512",
};
/** The purposes for which keys are derived. */
const VERIFIER_INPUT = Buffer.from("fea7d2763b4b9e79", "hex");
const VERIFIER_HASH = Buffer.from("d7aa0f6d3061344e", "hex");
const KEY_VALUE = Buffer.from("146e0be7abacd0d6", "hex");
const PADDING = 0x36;
/** Office uses 100,000 rounds; the standard permits ten million, which take a minute. */
const MAX_HASHES = 2_000_000;

/** Decrypts files of Office 2010 and later. Source: [MS-OFFCRYPTO] 2.3.4.10 to 2.3.4.15. */
export async function openAgile(
  info: Buffer,
  text: Buffer,
  password: string,
): Promise<Buffer | undefined> {
  const description = await readXmlTree(info.toString("utf8", HEADER_BYTES));
  const keyData = cipherOf(findIn(description, "keyData"));
  const encryptedKey = findIn(description, "encryptedKey");
  const keyCipher = cipherOf(encryptedKey);
  const hashes = Number(attributeOf(encryptedKey, "spinCount"));
  if (hashes > MAX_HASHES) throw tooComplex("opening its protection takes too long");
  const hashed = hashPassword(keyCipher, password, hashes);
  const open = (name: string, purpose: Buffer) => {
    const key = fit(digest(keyCipher, hashed, purpose), keyCipher.keyBytes);
    return decipher(keyCipher, key, keyCipher.salt, bytesOf(encryptedKey, name));
  };
  const expected = open("encryptedVerifierHashValue", VERIFIER_HASH);
  const verifier = open("encryptedVerifierHashInput", VERIFIER_INPUT);
  const verified = digest(keyCipher, verifier.subarray(0, keyCipher.salt.length));
  if (!expected.subarray(0, verified.length).equals(verified)) return undefined;
  const key = open("encryptedKeyValue", KEY_VALUE).subarray(0, keyData.keyBytes);
  const segments: Buffer[] = [];
  for (let at = 0; at < text.length; at += SEGMENT_BYTES) {
    const start = digest(keyData, keyData.salt, toBytes(at / SEGMENT_BYTES));
    segments.push(decipher(keyData, key, start, text.subarray(at, at + SEGMENT_BYTES)));
  }
  return Buffer.concat(segments);
}

/** @throws FileError `file_encrypted` for a cipher that Office does not use. */
function cipherOf(element: Element | undefined): Cipher {
  const hashName = HASHES[attributeOf(element, "hashAlgorithm") ?? ""];
  const chaining = attributeOf(element, "cipherChaining");
  const keyBytes = Number(attributeOf(element, "keyBits")) / 8;
  if (!hashName || chaining !== "ChainingModeCBC" || ![16, 24, 32].includes(keyBytes))
    throw encrypted();
  if (attributeOf(element, "cipherAlgorithm") !== "AES") throw encrypted();
  return { hashName, keyBytes, blockBytes: 16, salt: bytesOf(element, "saltValue") };
}

function bytesOf(element: Element | undefined, name: string): Buffer {
  const value = attributeOf(element, name);
  if (!value) throw damaged();
  return Buffer.from(value, "base64");
}

function hashPassword(cipher: Cipher, password: string, times: number): Buffer {
  let hashed = digest(cipher, cipher.salt, Buffer.from(password, "utf16le"));
  for (let at = 0; at < times; at += 1) hashed = digest(cipher, toBytes(at), hashed);
  return hashed;
}

function digest({ hashName }: Cipher, ...parts: Buffer[]): Buffer {
  return hash(hashName, Buffer.concat(parts), "buffer");
}

function toBytes(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function fit(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(length, PADDING)]).subarray(0, length);
}

/** Decrypts a segment. The last one may end within a block. */
function decipher(
  { blockBytes, keyBytes }: Cipher,
  key: Buffer,
  start: Buffer,
  text: Buffer,
) {
  const whole = text.subarray(0, text.length - (text.length % blockBytes));
  const aes = createDecipheriv(`aes-${keyBytes * 8}-cbc`, key, fit(start, blockBytes));
  aes.setAutoPadding(false);
  return Buffer.concat([aes.update(whole), aes.final()]);
}
