import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { BadRequest } from "../../http/errors.ts";

/** What a task could do, good and bad, for the tests of the pool. */
export default function tryTask({ act, value }: { act: Act; value?: unknown }): unknown {
  return ACTS[act](value);
}

const INSTANCE = randomUUID();

const ACTS = {
  echo: (value: unknown) => value,
  instance: () => INSTANCE,
  connect: (port: unknown) => connectTo(Number(port)),
  loop: () => {
    for (;;);
  },
  // one allocation far beyond the limit: in a thread this ends the whole process
  array: () => Array.from({ length: 3e8 }, (_, at) => at),
  map: () => {
    const map = new Map<number, object>();
    for (let at = 0; ; at += 1) map.set(at, {});
  },
  buffers: () => {
    const kept: Buffer[] = [];
    for (;;) kept.push(Buffer.alloc(1e6, 1));
  },
  recurse: () => {
    const deeper = (depth: number): number => deeper(depth + 1) + 1;
    return deeper(0);
  },
  refuse: () => {
    throw new BadRequest("not_this_way", "Do it another way.", { details: { way: 2 } });
  },
  fail: () => {
    throw new TypeError("a mistake of ours");
  },
  leave: () => process.exit(0),
  read: (path: unknown) => readFileSync(String(path)).length,
  write: (path: unknown) => writeFileSync(String(path), ""),
  start: () => spawnSync("true").error?.message,
  environment: () => Object.keys(process.env),
} satisfies Record<string, (value: unknown) => unknown>;

export type Act = keyof typeof ACTS;

async function connectTo(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
  return "connected";
}
