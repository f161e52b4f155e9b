import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";

export interface FoundFile {
  path: string;
  /** The names of the folders that it lies in, from the one that was given on. */
  folders: string[];
}

const MAX_PATH_STEPS = 20;

/**
 * The files that paths name, in folders all that are in them, by their names. Hidden ones and links
 * are left out.
 * @throws for a path that is not there.
 */
export async function collectFiles(paths: readonly string[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const given of paths) {
    const path = resolve(given);
    const kind = await stat(path).catch(() => {
      throw new Error(`There is no file or folder "${given}".`);
    });
    if (kind.isDirectory()) await collect(path, [basename(path)], found);
    else found.push({ path, folders: [] });
  }
  return found;
}

async function collect(folder: string, folders: string[], found: FoundFile[]): Promise<void> {
  if (folders.length > MAX_PATH_STEPS)
    throw new Error(
      `"${folder}" lies deeper than ${MAX_PATH_STEPS} folders, the most that there can be.`,
    );
  const entries = (await readdir(folder, { withFileTypes: true }))
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await collect(path, [...folders, entry.name], found);
    else if (entry.isFile()) found.push({ path, folders });
  }
}
