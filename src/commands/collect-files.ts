import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";

export interface FoundFile {
  path: string;
  /** Names of the parent folders, from the folder given on the command line downwards. */
  folders: string[];
}

const MAX_DEPTH = 20;

/**
 * The given files and all files of the given folders, sorted by name. Skips hidden files and links.
 * @throws Error for a path that does not exist.
 */
export async function collectFiles(paths: readonly string[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const given of paths) {
    const path = resolve(given);
    const kind = await stat(path).catch(() => {
      throw new Error(`No file or folder "${given}".`);
    });
    if (kind.isDirectory()) await collect(path, [basename(path)], found);
    else found.push({ path, folders: [] });
  }
  return found;
}

async function collect(
  folder: string,
  folders: string[],
  found: FoundFile[],
): Promise<void> {
  if (folders.length > MAX_DEPTH)
    throw new Error(
      `"${folder}" is deeper than ${MAX_DEPTH} folders. Ingest a subfolder instead.`,
    );
  const entries = (await readdir(folder, { withFileTypes: true }))
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((one, other) =>
      one.name.localeCompare(other.name, undefined, { numeric: true }),
    );
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await collect(path, [...folders, entry.name], found);
    else if (entry.isFile()) found.push({ path, folders });
  }
}
