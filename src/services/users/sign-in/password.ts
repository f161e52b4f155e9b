import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { PASSWORD_COST } from "./password-cost.ts";

/** Bounds the memory that many concurrent sign-ins take. */
const MAX_CONCURRENT_HASHES = 2;

let running = 0;
const queue: (() => void)[] = [];

/** Returns `scrypt$N$r$p$salt$hash`. The parameters are stored, so the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, PASSWORD_COST);
  return [
    "scrypt",
    PASSWORD_COST.N,
    PASSWORD_COST.r,
    PASSWORD_COST.p,
    salt.toString("base64"),
    hash.toString("base64"),
  ].join("$");
}

/** Takes as long for a user who does not exist (`stored` null) as for one who exists. */
export async function verifyPassword(
  password: string,
  stored: string | null,
): Promise<boolean> {
  const [, n, r, p, salt = "", hash = ""] = (stored ?? UNKNOWN_USER_HASH).split("$");
  const expected = Buffer.from(hash, "base64");
  const actual = await derive(password, Buffer.from(salt, "base64"), {
    N: Number(n),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(actual, expected) && stored !== null;
}

const UNKNOWN_USER_HASH = [
  "scrypt",
  PASSWORD_COST.N,
  PASSWORD_COST.r,
  PASSWORD_COST.p,
  Buffer.alloc(16).toString("base64"),
  Buffer.alloc(32).toString("base64"),
].join("$");

async function derive(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number },
): Promise<Buffer> {
  if (running >= MAX_CONCURRENT_HASHES)
    await new Promise<void>((resolve) => queue.push(resolve));
  running += 1;
  try {
    return await new Promise((resolve, reject) => {
      scrypt(
        password.normalize("NFKC"),
        salt,
        32,
        { ...cost, maxmem: 128 * 1024 * 1024 },
        (error, key) => (error ? reject(error) : resolve(key)),
      );
    });
  } finally {
    running -= 1;
    queue.shift()?.();
  }
}
