import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { open, realpath } from "node:fs/promises";
import type { Isolation } from "../../../platform/isolation/isolation.ts";
import { findCommand, systemFolders } from "../../../platform/isolation/program-files.ts";
import { limitMemory } from "../../../platform/workers/limit-memory.ts";
import { MAX_ANSWER_BYTES } from "../tool-fetch.ts";
import { type Command, memoryOf } from "./settings.ts";

/** A folder in memory, of each process alone. */
const HOME = "/tmp";
const HOME_BYTES = 128 * 1024 * 1024;
/** What programs read to use the network, the time, and names of users. */
const SYSTEM_FILES = [
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/nsswitch.conf",
  "/etc/ssl",
  "/etc/pki",
  "/etc/ca-certificates",
  "/etc/passwd",
  "/etc/group",
  "/etc/localtime",
  "/etc/mime.types",
  "/opt",
];
/** After its input has ended, and after it was asked to end. */
const LEAVE_MS = 1_000;
const END_MS = 2_000;
const MAX_SAID_CHARACTERS = 4_000;
/** What waits to be read by a program that does not read. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

export interface CommandProcess {
  /** How it ended, once it has. */
  readonly exited: Promise<string>;
  /** The last of what it wrote to its standard error. */
  readonly said: string;
  /** Sends one message. @returns false: it does not read what was sent. */
  send(message: object): boolean;
  end(): Promise<void>;
}

interface Options {
  command: Command;
  isolation: Isolation;
  /** Gets each line that is a message of JSON. */
  onMessage: (message: unknown) => void;
}

/** @throws Error when the program is not found, or cannot be started. */
export async function startCommand(options: Options): Promise<CommandProcess> {
  const { command, isolation, onMessage } = options;
  const { file, args, home } = await layOut(command, isolation);
  const child = spawn(file, args, {
    cwd: "/",
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
      HOME: home,
      TMPDIR: home,
      LANG: "C.UTF-8",
      ...command.env,
    },
  });
  let said = "";
  let why: string | undefined;
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    // its last words have been read when it is closed
    child.once("close", (code, signal) => resolve(why ?? howItEnded(code, signal)));
  });
  const kill = (reason: string) => {
    why ??= reason;
    child.kill("SIGKILL");
  };
  // it has ended, which `exited` says
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-MAX_SAID_CHARACTERS);
  });
  readLines(child, onMessage, () => kill("an answer was larger than 4 MB"));
  if (child.pid !== undefined) {
    const memory = await limitMemory(memoryOf(command));
    const held = await memory
      .hold(child.pid, () => kill("it took more memory than `memoryMb` permits"))
      // a kernel that refuses a limit; the program runs without one
      .catch(() => undefined);
    void exited.then(() => held?.release());
  }
  return {
    exited,
    get said() {
      return said;
    },
    send(message) {
      if (child.stdin.writableLength > MAX_UNREAD_BYTES) return false;
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return true;
    },
    async end() {
      child.stdin.end();
      const ask = setTimeout(() => child.kill("SIGTERM"), LEAVE_MS);
      const force = setTimeout(() => kill("it was ended"), END_MS);
      await exited;
      clearTimeout(ask);
      clearTimeout(force);
    },
  };
}

/** Source: Model Context Protocol, stdio: one message a line. Other lines are somebody's log. */
function readLines(
  { stdout }: ChildProcess,
  onMessage: (message: unknown) => void,
  onTooLong: () => void,
): void {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  let length = 0;
  stdout?.on("data", (chunk: Buffer) => {
    const [first = "", ...others] = decoder.write(chunk).split("\n");
    parts.push(first);
    length += first.length;
    for (const next of others) {
      if (length <= MAX_ANSWER_BYTES) read(parts.join(""));
      parts = [next];
      ({ length } = next);
    }
    if (length <= MAX_ANSWER_BYTES) return;
    parts = [];
    onTooLong();
  });
  const read = (line: string) => {
    const text = line.replace(/^\uFEFF/, "").trim();
    if (!text.startsWith("{") && !text.startsWith("[")) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return; // a line of a log that begins like a message
    }
    for (const one of Array.isArray(message) ? message : [message]) onMessage(one);
  };
}

/** The command with what it may see. */
async function layOut(command: Command, isolation: Isolation) {
  const path = await findCommand(command.command);
  if (path === undefined)
    throw new Error(`there is no program "${command.command}" in PATH`);
  const missing = [...command.read, ...command.write].find((one) => !existsSync(one));
  if (missing !== undefined) throw new Error(`there is no ${missing}`);
  const isHidden = isolation.holds.includes("files");
  if (!isHidden) return { file: path, args: command.args, home: tmpdir() };
  const own = await foldersOf(path);
  const readable = [...systemFolders(), ...SYSTEM_FILES, ...own, ...command.read];
  const wrapped = isolation.wrap({
    file: path,
    args: command.args,
    readable: outermost(readable.filter((one) => existsSync(one))),
    space: { path: HOME, bytes: HOME_BYTES },
    system: { writable: command.write, network: command.network },
  });
  return { ...wrapped, home: HOME };
}

/**
 * The folders of a program and, for a script, of its interpreter, which may be a link to a version
 * that is installed elsewhere, with its libraries beside it.
 */
async function foldersOf(path: string, isScript = true): Promise<string[]> {
  const real = await realpath(path);
  const folders = [path, real].flatMap((one) => {
    const folder = dirname(one);
    const prefix = dirname(folder);
    // not a whole home folder
    const isInstalled = basename(folder) === "bin" && existsSync(join(prefix, "lib"));
    return isInstalled && basename(prefix) !== ".local" ? [prefix] : [folder];
  });
  const [, interpreter] = isScript
    ? (/^#! *(\/\S+)/.exec(await firstLine(real)) ?? [])
    : [];
  if (interpreter === undefined || !existsSync(interpreter)) return folders;
  return [...folders, ...(await foldersOf(interpreter, false))];
}

/** At most as much as the kernel reads of it. */
async function firstLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.toString("latin1", 0, bytesRead).split("\n")[0] ?? "";
  } finally {
    await file.close();
  }
}

/** Without what stands in another of the folders. */
function outermost(paths: readonly string[]): string[] {
  const different = [...new Set(paths)];
  return different.filter(
    (path) => !different.some((other) => path !== other && path.startsWith(`${other}/`)),
  );
}

function howItEnded(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exit code ${code}` : `ended by ${signal}`;
}
