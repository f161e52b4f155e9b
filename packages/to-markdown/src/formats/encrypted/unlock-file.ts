import { passwordNeeded } from "../refuse-file.ts";
import { sniffFileType } from "../sniff-file-type.ts";

/**
 * Returns the file itself, or the content of a password-protected Office file.
 * @throws FileError `file_encrypted` without a password, what `decryptOffice` throws
 */
export async function unlockFile(
  bytes: Uint8Array,
  password: string | undefined,
): Promise<Uint8Array> {
  if ((await sniffFileType(bytes)).kind !== "encrypted") return bytes;
  if (!password) throw passwordNeeded();
  const { decryptOffice } = await import("./decrypt-office.ts");
  return decryptOffice(bytes, password);
}
