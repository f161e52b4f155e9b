import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a folder and its parents one by one. Node's recursive `mkdir` does not end where no
 * folder can be created, such as in /proc.
 * @throws Error that names the folder and DATA_DIR.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  let parent = path;
  for (; !(await exists(parent)); parent = dirname(parent)) missing.unshift(parent);
  for (const folder of missing)
    await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw unusableFolder(path, error);
    });
}

/** The error for a folder that cannot be written. */
export function unusableFolder(path: string, cause: NodeJS.ErrnoException): Error {
  return new Error(
    `The folder ${path} cannot be written (${cause.code}). Set DATA_DIR to one that this user may write.`,
    { cause },
  );
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // any other failure shows when a folder is created in it
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}
