import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { BadRequest } from "../../http/errors.ts";
import { probe, type ProbeInput } from "./probe.ts";

interface Tried {
  act: Act;
  value?: unknown;
}

/** What a task could do, good and bad, for the tests of the pool. */
export default function tryTask({ act, value }: Tried, bytes: Buffer): unknown {
  return ACTS[act](value, bytes);
}

/** Another task of the same module. */
export const shout = (text: string): string => text.toUpperCase();

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
    for (;;) kept.push(Buffer.alloc(16e6, 1));
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
  leave: () => process.exit(3),
  crash: () => process.abort(),
  throwLater: () => {
    setTimeout(() => {
      throw new Error("nobody catches this");
    });
    return new Promise(() => {});
  },
  length: (_: unknown, bytes: Buffer) => bytes.byteLength,
  probe: (input: unknown) => probe(input as ProbeInput),
  read: (path: unknown) => readFileSync(String(path)).length,
  write: (path: unknown) => writeFileSync(String(path), ""),
  start: () => spawnSync("true").error?.message,
  environment: () => ({ ...process.env }),
} satisfies Record<string, (value: unknown, bytes: Buffer) => unknown>;

export type Act = keyof typeof ACTS;

async function connectTo(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
  return "connected";
}
