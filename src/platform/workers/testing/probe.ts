import { writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createConnection } from "node:net";

/** Tries what a hostile file would try if it had taken over the process that reads it. */
export interface ProbeInput {
  /** Files that the process must not read. */
  files: Record<string, string>;
  writable: string;
  ports: Record<string, number>;
  nameServer: number;
  parent: number;
  neighbour: number;
  addon: string;
}

/** `open` if it succeeded, else the code of the error. */
export type ProbeResult = Record<string, string>;

const CONNECT_MS = 2_000;

export async function probe(input: ProbeInput): Promise<ProbeResult> {
  const { files, writable, ports, nameServer, parent, neighbour, addon } = input;
  const attempts: Record<string, () => unknown> = {
    "see the system's folders": () => seeFolders(),
    "see processes": () => readdir("/proc"),
    "read /etc/passwd": () => readFile("/etc/passwd"),
    "read the parent's environment": () => readFile(`/proc/${parent}/environ`),
    "write a file": () => writeFileSync(writable, "x"),
    "look up a name": () => lookUp(nameServer),
    "signal the parent": () => process.kill(parent, 0),
    "signal a neighbour": () => process.kill(neighbour, 0),
    "start a program": () => startProgram(),
    "open a thread": () => openThread(),
    "load an addon": () => process.dlopen({ exports: {} }, addon),
    "reach internals of Node": () => reachBinding(),
    "find a secret in its environment": () => findSecret(),
  };
  for (const [name, path] of Object.entries(files))
    attempts[`read ${name}`] = () => readFile(path);
  for (const [name, port] of Object.entries(ports))
    attempts[`connect to ${name}`] = () => connect(port);
  const results: ProbeResult = {};
  for (const [name, attempt] of Object.entries(attempts))
    results[name] = await outcome(attempt);
  return results;
}

async function outcome(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return "open";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

async function seeFolders(): Promise<void> {
  const names = await readdir("/");
  if (!names.includes("etc")) throw new Error(`only ${names.join(", ")}`);
}

function connect(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: "127.0.0.1", port, timeout: CONNECT_MS });
    socket.once("connect", () => resolve()).once("error", reject);
    socket.once("timeout", () => reject(new Error("timeout")));
    const end = () => socket.destroy();
    socket.once("connect", end).once("timeout", end);
  });
}

/** Asks a fixed name server, because the system's configuration may name none. */
async function lookUp(port: number): Promise<void> {
  const { Resolver } = await import("node:dns/promises");
  const resolver = new Resolver({ timeout: CONNECT_MS, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  await resolver.resolve4("parlance.example");
}

async function startProgram(): Promise<void> {
  const { execFileSync } = await import("node:child_process");
  execFileSync(process.execPath, ["--version"]);
}

async function openThread(): Promise<void> {
  const { Worker } = await import("node:worker_threads");
  await new Worker("", { eval: true }).terminate();
}

function reachBinding(): void {
  const { binding } = process as typeof process & { binding(name: string): unknown };
  binding("tcp_wrap");
}

function findSecret(): void {
  const known = /^(?:NODE_ENV|TZ|PATH|PWD|OLDPWD|SHLVL|_|NODE_CHANNEL_.*)$/;
  const others = Object.keys(process.env).filter((name) => !known.test(name));
  if (others.length === 0) throw Object.assign(new Error("none"), { code: "NONE" });
}
