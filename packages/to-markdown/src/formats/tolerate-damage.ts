import { FileError } from "../file-error.ts";

/**
 * Reads a part of a file, and returns a substitute with a warning if only that part is damaged.
 * @param what the part in words: "The notes".
 * @throws errors about the whole file: beyond a limit, password-protected, aborted.
 */
export async function tolerateDamage<T>(
  read: () => Promise<T>,
  instead: T,
  what: string,
  warnings: string[],
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== "file_damaged") throw error;
    warnings.push(`${what} could not be read: that part of the file is damaged.`);
    return instead;
  }
}
