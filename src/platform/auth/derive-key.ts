import { hkdfSync } from "node:crypto";

/**
 * A key of 32 bytes for one purpose. Nobody can tell the secret, or the key of another purpose,
 * from it. An empty secret, which is none, is refused.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  if (secret === "")
    throw new Error(`There is no secret to derive a key from: ${purpose}.`);
  return Buffer.from(hkdfSync("sha256", secret, "", `parlance ${purpose}`, 32));
}
