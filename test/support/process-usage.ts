import { readdir, readlink } from "node:fs/promises";
import { freePort } from "./free-port.ts";

/** Lets a test inspect its child process: pass `env` when starting it. */
export interface Inspector {
  env: { NODE_OPTIONS: string };
  /** Bytes in use after a full garbage collection. */
  heldBytes(): Promise<number>;
  /** Bytes in use, and garbage that is not collected yet. */
  usedBytes(): Promise<number>;
}

export async function createInspector(): Promise<Inspector> {
  const port = await freePort();
  return {
    env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` },
    heldBytes: () => bytesOf(port, true),
    usedBytes: () => bytesOf(port, false),
  };
}

async function bytesOf(port: number, isCollected: boolean): Promise<number> {
  const list = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await list.json()) as { webSocketDebuggerUrl: string }[]; // Node's inspector
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  let lastId = 0;
  const call = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      const id = (lastId += 1);
      socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(String(data)) as { id: number; result: unknown }; // its protocol
        if (message.id === id) resolve(message.result);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  if (isCollected) {
    await call("HeapProfiler.enable");
    await call("HeapProfiler.collectGarbage");
    await call("HeapProfiler.collectGarbage");
  }
  const expression = "JSON.stringify(process.memoryUsage())";
  const answer = await call("Runtime.evaluate", { expression });
  const { result } = answer as { result: { value: string } }; // the expression is a string
  socket.close();
  const { heapUsed, external } = JSON.parse(result.value) as NodeJS.MemoryUsage;
  return heapUsed + external;
}

/** The number of open files and sockets of a process, but for those in a folder. Linux only. */
export async function openFiles(pid: number, exceptIn: string): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const paths = await Promise.all(
    // one may close meanwhile
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => "")),
  );
  return paths.filter((path) => path !== "" && !path.startsWith(exceptIn)).length;
}
