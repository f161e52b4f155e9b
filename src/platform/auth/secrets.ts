import {
  createCipheriv,
  createDecipheriv,
  hash,
  randomBytes,
  timingSafeEqual,
  hkdfSync,
} from "node:crypto";

/**
 * Returns a comparison with `expected` in constant time, for any lengths. An empty `expected`
 * matches nothing.
 */
export function secretMatcher(expected: string): (given: string) => boolean {
  const digest = sha256(expected);
  return (given) => expected !== "" && timingSafeEqual(sha256(given), digest);
}

function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** What nobody can guess, of letters that an address, a header and a form take as they are. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}

/** A fast hash is enough for what is random: it cannot be guessed from its hash. */
export function hashToken(
  token: string,
  encoding: "base64url" | "hex" = "base64url",
): string {
  return hash("sha256", token, encoding);
}

/** Random bytes in base64. */
export function randomSecret(bytes = 32): string {
  return randomBytes(bytes).toString("base64");
}

const VERSION = "v1";

/** Encrypts a secret with AES-256-GCM, after a version prefix. `key`: 32 bytes in base64. */
export function sealSecret(plain: string, key: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyBytes(key), nonce);
  const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return `${VERSION}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")}`;
}

/** Whether `sealSecret` returned this text. */
export function isSealed(text: string): boolean {
  return text.startsWith(`${VERSION}:`);
}

/** @throws Error when the key is another one, or when the text was changed. */
export function openSecret(sealed: string, key: string): string {
  const [version, encoded] = sealed.split(":");
  if (version !== VERSION || encoded === undefined)
    throw new Error(
      "A stored secret has an unknown format. Restore it from a backup, or set it again.",
    );
  const bytes = Buffer.from(encoded, "base64");
  const decipher = createDecipheriv("aes-256-gcm", keyBytes(key), bytes.subarray(0, 12), {
    authTagLength: 16,
  });
  decipher.setAuthTag(bytes.subarray(12, 28));
  try {
    return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
  } catch (error) {
    throw new Error(
      "A stored secret cannot be decrypted: ENCRYPTION_KEY has changed. Set the earlier key again.",
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
      "ENCRYPTION_KEY must be 32 bytes in base64. Generate one: openssl rand -base64 32.",
    );
  return bytes;
}

/**
 * A key of 32 bytes for one purpose. Nobody can tell the secret, or the key of another purpose,
 * from it. An empty secret, which is none, is refused.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  if (secret === "")
    throw new Error(`There is no secret to derive a key from: ${purpose}.`);
  return Buffer.from(hkdfSync("sha256", secret, "", `parlance ${purpose}`, 32));
}
