import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { access, chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { readFrames } from "../frames.ts";
import type { Start } from "./engine.ts";

const MAX_SNAPSHOT_BYTES = 128 * 2 ** 20;
const MAKE_MS = 60_000;

/**
 * Lets a process that has run nobody's code write down its memory, where there is no such file yet.
 * @returns whether there is one.
 */
export async function makeSnapshot(path: string, start: Start): Promise<boolean> {
  const isThere = () =>
    access(path).then(
      () => true,
      () => false,
    );
  if (await isThere()) return true;
  const part = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await receive(part, start);
    // the processes of sessions are other users, and it holds no secret
    await chmod(part, 0o644);
    await rename(part, path);
    return true;
  } catch {
    await rm(part, { force: true }).catch(() => {});
    return isThere();
  }
}

async function receive(path: string, { file, args, environment }: Start): Promise<void> {
  const child = spawn(file, args, {
    env: { ...environment },
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    timeout: MAKE_MS,
    killSignal: "SIGKILL",
  });
  const exited = once(child, "exit");
  await using target = await open(path, "wx");
  let bytes = 0;
  for await (const { payload } of readFrames(child.stdio[3] as Readable)) {
    bytes += payload.byteLength;
    if (bytes > MAX_SNAPSHOT_BYTES) child.kill("SIGKILL");
    await target.write(payload);
  }
  const [code] = (await exited) as [number | null];
  if (code !== 0 || bytes === 0) throw new Error("the interpreter gave no snapshot");
}
