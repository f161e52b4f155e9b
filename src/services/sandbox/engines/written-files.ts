import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  opendirSync,
  readSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { FileName } from "../contract-file-name.ts";
import { MAX_FILES, MAX_FILES_BYTES } from "../contract-limits.ts";
import { CHUNK_BYTES } from "../frames.ts";
import type { Report } from "../messages.ts";

const MAX_LOOKED_AT = 5_000;
const MAX_DEPTH = 8;
const MAX_LEFT = 50;
const MAX_LEFT_NAME = 300;

type Leave = (name: string, reason: Extract<Report, { type: "left" }>["reason"]) => void;

interface Out {
  say(report: Report): void;
  sendBytes(bytes: Uint8Array): void;
}

/** What code of people wrote into a folder, as `cell.py` has it for Python. */
export class WrittenFiles {
  readonly #root: string;
  /** What shows whether a file has changed, by its name. */
  #seen = new Map<string, { size: number; mark: string }>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Puts a file into the folder, which is none that the code wrote. */
  put(name: string, chunks: Iterable<Uint8Array>): void {
    const path = join(this.#root, name);
    mkdirSync(dirname(path), { recursive: true });
    // a link of this name is replaced, not followed
    rmSync(path, { force: true, recursive: true });
    const handle = openSync(path, "wx");
    try {
      for (const chunk of chunks)
        for (let at = 0; at < chunk.byteLength;) at += writeSync(handle, chunk, at);
    } finally {
      closeSync(handle);
    }
    this.#seen.set(name, fingerprint(lstatSync(path)));
  }

  /** Sends those that are new or have changed since the last time. */
  send(out: Out): void {
    const left: Parameters<Leave>[] = [];
    const now = this.#scan((...one) => left.push(one));
    const changed = [...now].filter(
      ([name, { mark }]) => this.#seen.get(name)?.mark !== mark,
    );
    changed.sort(([one], [other]) => (one < other ? -1 : 1));
    let room = MAX_FILES_BYTES;
    for (const [at, [name, { size }]] of changed.entries())
      if (at >= MAX_FILES) left.push([name, "number"]);
      else if (size > room) left.push([name, "size"]);
      else {
        room -= size;
        this.#sendFile(name, out);
      }
    this.#seen = now;
    for (const [name, reason] of left.slice(0, MAX_LEFT))
      out.say({ type: "left", name: name.slice(0, MAX_LEFT_NAME), reason });
  }

  #sendFile(name: string, { say, sendBytes }: Out): void {
    const path = join(this.#root, name);
    const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = fstatSync(handle);
      say({ type: "file", name, size });
      for (let left = size; left > 0;) {
        // a file that became shorter has the length that was announced
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, left));
        readSync(handle, chunk);
        sendBytes(chunk);
        left -= chunk.byteLength;
      }
    } finally {
      closeSync(handle);
    }
  }

  #scan(leave: Leave): Map<string, { size: number; mark: string }> {
    const found = new Map<string, { size: number; mark: string }>();
    const folders: [path: string, depth: number][] = [["", 0]];
    let lookedAt = 0;
    for (let next = folders.pop(); next; next = folders.pop()) {
      const [folder, depth] = next;
      const entries = opendirSync(join(this.#root, folder));
      try {
        for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
          lookedAt += 1;
          if (lookedAt > MAX_LOOKED_AT) {
            leave("…", "number");
            return found;
          }
          const name = folder ? `${folder}/${entry.name}` : entry.name;
          if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
          if (!FileName.safeParse(name).success) leave(name.toWellFormed(), "name");
          else if (entry.isDirectory()) {
            if (depth < MAX_DEPTH) folders.push([name, depth + 1]);
            else leave(name, "number");
          } else if (entry.isFile())
            found.set(name, fingerprint(lstatSync(join(this.#root, name))));
          else leave(name, entry.isSymbolicLink() ? "link" : "special");
        }
      } finally {
        entries.closeSync();
      }
    }
    return found;
  }
}

function fingerprint({ size, mtimeMs, ctimeMs }: Stats): { size: number; mark: string } {
  return { size, mark: `${size} ${mtimeMs} ${ctimeMs}` };
}
