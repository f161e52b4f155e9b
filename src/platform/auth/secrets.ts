import { createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from "node:crypto";

/** Compares in constant time, whatever the lengths. An empty expectation matches nothing. */
export function safeEqual(given: string, expected: string): boolean {
  return secretMatcher(expected)(given);
}

/** The same for one expectation that is met again and again. */
export function secretMatcher(expected: string): (given: string) => boolean {
  const digest = sha256(expected);
  return (given) => expected !== "" && timingSafeEqual(sha256(given), digest);
}

function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** Random bytes in base64. */
export function randomSecret(bytes = 32): string {
  return randomBytes(bytes).toString("base64");
}

const VERSION = "v1";

/**
 * Encrypts a secret for storage: AES-256-GCM, with a prefix that says how. `key`: 32 bytes in
 * base64.
 */
export function sealSecret(plain: string, key: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyBytes(key), nonce);
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")}`;
}

/** Whether a text is one that `sealSecret` made. */
export function isSealed(text: string): boolean {
  return text.startsWith(`${VERSION}:`);
}

/** @throws Error when the key is not the one that sealed it, or when it was changed. */
export function openSecret(sealed: string, key: string): string {
  const [version, encoded] = sealed.split(":");
  if (version !== VERSION || encoded === undefined)
    throw new Error("A stored secret has an unknown form.");
  const bytes = Buffer.from(encoded, "base64");
  const decipher = createDecipheriv("aes-256-gcm", keyBytes(key), bytes.subarray(0, 12), {
    authTagLength: 16,
  });
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
  } catch (error) {
    throw new Error(
      "A stored secret cannot be decrypted: ENCRYPTION_KEY is not the one that it was stored with.",
      {
        cause: error,
      },
    );
  }
}

function keyBytes(key: string): Buffer {
  const bytes = Buffer.from(key, "base64");
  if (bytes.length !== 32)
    throw new Error(
      "ENCRYPTION_KEY must be 32 bytes in base64. openssl rand -base64 32 makes one.",
    );
  return bytes;
}
