import { createServer } from "node:net";

/**
 * Below those that the system gives to clients and to servers without a port of their own: none of
 * them takes a port between its choice and its use. Test files that run at once have a block each.
 */
const FIRST_PORT = 12_000;
const BLOCK = 1_000;
const BLOCKS = 8;
const block = Number(process.env["VITEST_POOL_ID"] ?? 0) % BLOCKS;
let next = process.pid;

/** Returns a port of this machine that is free, and another one each time. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < BLOCK; tries += 1) {
    next += 1;
    const port = FIRST_PORT + block * BLOCK + (next % BLOCK);
    if (await isFree(port)) return port;
  }
  throw new Error("No port is free. Stop servers that earlier tests left.");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
