import { constants } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { Item } from "./store.ts";

const DEEPEST = 20;
/** Files that one look goes through. */
const MAX_FILES = 100_000;

/**
 * @returns the folder's real path.
 * @throws BadRequest `folder_not_allowed` for one that is not within those the operator allows,
 * wherever links lead.
 */
export async function allowedFolder(path: string, allowed: readonly string[]): Promise<string> {
  const folder = await realpath(path).catch(() => undefined);
  const roots = await Promise.all(allowed.map((root) => realpath(root).catch(() => undefined)));
  if (
    folder === undefined ||
    !roots.some((root) => root !== undefined && within(root, folder)) ||
    !(await stat(folder)).isDirectory()
  )
    throw new BadRequest(
      "folder_not_allowed",
      "There is no such folder within AUTOMATION_FOLDERS. An administrator of the server sets them.",
    );
  return folder;
}

/**
 * The files of a folder and those in it, but for links and hidden ones; `version` changes with what
 * is written to them.
 */
export async function* walkFolder(folder: string, signal: AbortSignal): AsyncGenerator<Item> {
  let left = MAX_FILES;
  const waiting = [{ path: folder, depth: 0 }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const entries = await readdir(next.path, { withFileTypes: true });
    for (const entry of entries) {
      signal.throwIfAborted();
      if (entry.name.startsWith(".")) continue;
      const path = join(next.path, entry.name);
      if (entry.isDirectory() && next.depth < DEEPEST)
        waiting.push({ path, depth: next.depth + 1 });
      if (!entry.isFile() || (left -= 1) < 0) continue;
      // gone since it was listed
      const facts = await stat(path).catch(() => undefined);
      if (facts)
        yield {
          key: relative(folder, path).split(sep).join("/"),
          version: `${facts.size}:${facts.mtimeMs}:${facts.ino}`,
        };
    }
  }
}

/**
 * The bytes of a file of the folder; not those that a link leads to.
 * @throws BadRequest `file_unreadable`.
 */
export async function* readFileOf(folder: string, key: string): AsyncGenerator<Uint8Array> {
  const file = await openWithin(folder, key).catch(() => {
    throw new BadRequest("file_unreadable", "The file is gone, or this server may not read it.");
  });
  try {
    yield* file.createReadStream({ autoClose: false });
  } finally {
    await file.close();
  }
}

async function openWithin(folder: string, key: string): Promise<FileHandle> {
  const path = join(folder, key);
  if (!within(folder, await realpath(path))) throw new Error("outside of its folder");
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
}

function within(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
