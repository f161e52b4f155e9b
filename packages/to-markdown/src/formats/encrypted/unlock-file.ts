import { passwordNeeded } from "../refuse-file.ts";
import { sniffFileType } from "../sniff-file-type.ts";

/**
 * Returns the file itself, or what an Office file under a password holds.
 * @throws FileError `file_encrypted` without a password, what `decryptOffice` throws
 */
export async function unlockFile(
  bytes: Uint8Array,
  password: string | undefined,
): Promise<Uint8Array> {
  if (sniffFileType(bytes).kind !== "encrypted") return bytes;
  if (!password) throw passwordNeeded();
  const { decryptOffice } = await import("./decrypt-office.ts");
  return decryptOffice(bytes, password);
}
