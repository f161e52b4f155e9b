import { constants } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { BadRequest } from "../../../platform/http/errors.ts";
import type { Item } from "./store.ts";

const MAX_DEPTH = 20;
const MAX_FILES = 100_000;

/**
 * Returns the folder's real path, with links resolved.
 * @throws BadRequest `folder_not_allowed` if it is outside the folders that the operator allows.
 */
export async function resolveAllowedFolder(
  path: string,
  allowed: readonly string[],
): Promise<string> {
  // what cannot be resolved is not there
  const folder = await realpath(path).catch(() => undefined);
  const roots = await Promise.all(
    // a folder that is permitted and is not there permits nothing
    allowed.map((root) => realpath(root).catch(() => undefined)),
  );
  if (
    folder === undefined ||
    !roots.some((root) => root !== undefined && isWithin(root, folder)) ||
    !(await stat(folder)).isDirectory()
  )
    throw new BadRequest(
      "folder_not_allowed",
      "AUTOMATION_FOLDERS contains no such folder. Ask the operator of the server to add it.",
    );
  return folder;
}

/**
 * The files of a folder and its subfolders, without links and hidden files. `version` changes when
 * a file changes.
 */
export async function* walkFolder(
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  let left = MAX_FILES;
  const pending = [{ path: folder, depth: 0 }];
  for (let next = pending.shift(); next; next = pending.shift()) {
    const entries = await readdir(next.path, { withFileTypes: true });
    for (const entry of entries) {
      signal.throwIfAborted();
      if (entry.name.startsWith(".")) continue;
      const path = join(next.path, entry.name);
      if (entry.isDirectory() && next.depth < MAX_DEPTH)
        pending.push({ path, depth: next.depth + 1 });
      if (!entry.isFile() || (left -= 1) < 0) continue;
      // undefined if the file was deleted after the listing
      const details = await stat(path).catch(() => undefined);
      if (details)
        yield {
          key: relative(folder, path).split(sep).join("/"),
          version: `${details.size}:${details.mtimeMs}:${details.ino}`,
        };
    }
  }
}

/** The bytes of a file in the folder, not through links. @throws BadRequest `file_unreadable`. */
export async function* readFileIn(folder: string, key: string): AsyncGenerator<Uint8Array> {
  const file = await openInside(folder, key).catch(() => {
    throw new BadRequest(
      "file_unreadable",
      "The file was deleted, or the server may not read it. Check its permissions.",
    );
  });
  try {
    yield* file.createReadStream({ autoClose: false });
  } finally {
    await file.close();
  }
}

async function openInside(folder: string, key: string): Promise<FileHandle> {
  const path = join(folder, key);
  if (!isWithin(folder, await realpath(path)))
    throw new Error("the file is outside its folder");
  return open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
