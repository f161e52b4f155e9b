import { FileError } from "../file-error.ts";

/**
 * What a part of a file holds, or a substitute and a warning where that part alone is damaged: the
 * rest is worth having.
 * @param what the part, as a person would call it: "The notes".
 * @throws what says more of the whole file than that: beyond a limit, under a password, stopped.
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
