import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** 32 MB and about 0.1 s a hash. Source: OWASP password storage, scrypt. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
/** Hashes at once: memory stays bounded however many sign in. */
const MAX_CONCURRENT = 2;

let running = 0;
const queue: (() => void)[] = [];

/** `scrypt$N$r$p$salt$hash`, so that the cost may grow later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join(
    "$",
  );
}

/** Takes as long for a user who does not exist (`stored` null) as for one who does. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, n, r, p, salt = "", hash = ""] = (stored ?? NOBODY).split("$");
  const expected = Buffer.from(hash, "base64");
  const given = await derive(password, Buffer.from(salt, "base64"), {
    N: Number(n),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(given, expected) && stored !== null;
}

const NOBODY = [
  "scrypt",
  COST.N,
  COST.r,
  COST.p,
  Buffer.alloc(16).toString("base64"),
  Buffer.alloc(32).toString("base64"),
].join("$");

async function derive(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number },
): Promise<Buffer> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => queue.push(resolve));
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
