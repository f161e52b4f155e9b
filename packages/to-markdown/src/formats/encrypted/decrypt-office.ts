import { FileError } from "../../file-error.ts";
import { openCompound } from "../compound/open-compound.ts";
import { damaged, encrypted } from "../refuse-file.ts";
import { openAgile } from "./agile-encryption.ts";
import { openStandard } from "./standard-encryption.ts";

const SIZE_BYTES = 8;
/** The minor versions of the description. */
const AGILE = 4;
const STANDARD = 2;

/** Returns the content of a package without padding; undefined for a wrong password. */
export type Decrypt = (
  info: Buffer,
  text: Buffer,
  password: string,
) => Promise<Buffer | undefined>;

/**
 * Decrypts a password-protected Office file, as Office 2007 and later write it.
 * @returns the bytes of the DOCX, XLSX or PPTX
 * @throws FileError `file_encrypted` for another kind of encryption, `wrong_password`,
 * `file_damaged`, `too_complex`
 * Source: [MS-OFFCRYPTO] 2.3.4.
 */
export async function decryptOffice(bytes: Uint8Array, password: string): Promise<Buffer> {
  const compound = openCompound(bytes);
  const info = compound.stream("EncryptionInfo");
  const content = compound.stream("EncryptedPackage");
  if (!info || !content) throw damaged();
  try {
    const decrypt = methodOf(info);
    const opened = await decrypt(info, content.subarray(SIZE_BYTES), password);
    if (!opened) throw wrongPassword();
    return opened.subarray(0, Number(content.readBigUInt64LE(0)));
  } catch (error) {
    if (error instanceof FileError) throw error;
    // an offset beyond the end, or a length that is not a multiple of the block size
    throw damaged(error);
  }
}

function methodOf(info: Buffer): Decrypt {
  const minor = info.readUInt16LE(2);
  if (minor === AGILE) return openAgile;
  if (minor === STANDARD) return openStandard;
  throw encrypted();
}

function wrongPassword(): FileError {
  return new FileError(
    "wrong_password",
    "The file is protected, and the password given does not open it. Check it and try again.",
  );
}
