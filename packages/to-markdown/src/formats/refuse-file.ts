import { FileError } from "../file-error.ts";

/** The errors for files that cannot be read, one for each reason. */

/** What can be sent instead, in sentences. */
export const READABLE_FORMATS =
  "PDF, Office, OpenDocument, EPUB, RTF, HTML, Markdown, CSV, e-mail or text";

export function tooComplex(what: string): FileError {
  return new FileError(
    "too_complex",
    `The file is too complex to be read: ${what}. Split it, or send a simpler one.`,
  );
}

export function damaged(cause?: unknown): FileError {
  return new FileError(
    "file_damaged",
    "The file is damaged or not what its name says. Save it again and send it again.",
    { cause },
  );
}

export function partMissing(name: string): FileError {
  return new FileError(
    "file_damaged",
    `The file lacks its part "${name}". It may be damaged: save it again and send it again.`,
  );
}

/** The file can be opened with its password. */
export function passwordNeeded(): FileError {
  return new FileError(
    "file_encrypted",
    "The file is protected by a password. Give its password, or save it without one and send it again.",
  );
}

/** The file cannot be opened here, even with its password. */
export function encrypted(): FileError {
  return new FileError(
    "file_encrypted",
    "The file is protected in a way that cannot be opened here. Save it without a password and send it again.",
  );
}

export function unsupported(what: string): FileError {
  return new FileError(
    "file_type_not_supported",
    `${what} cannot be read. Send it as ${READABLE_FORMATS}.`,
  );
}

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
