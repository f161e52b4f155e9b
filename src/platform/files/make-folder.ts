import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder of the data folder, and those above it. One by one: what Node has for it does not
 * end where nothing can be made, such as in /proc.
 * @throws Error with a sentence that names the folder and DATA_DIR.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !(await isThere(at)); at = dirname(at)) missing.unshift(at);
  for (const folder of missing)
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw unusableFolder(path, error);
    });
}

/** A folder in which nothing can be made or written. */
export function unusableFolder(path: string, cause: NodeJS.ErrnoException): Error {
  return new Error(
    `The folder ${path} cannot be written (${cause.code}). Set DATA_DIR to one that this user may write.`,
    {
      cause,
    },
  );
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // any other trouble shows when something is made in it
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}
