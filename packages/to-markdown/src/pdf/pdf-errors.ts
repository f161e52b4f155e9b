import { FileError } from "../file-error.ts";

/**
 * A PDF that cannot be read: `invalid_pdf`, `password_required`, `wrong_password`,
 * `unsupported_encryption`, `no_pages`, `too_complex`. Another parser is unlikely to do better,
 * except where the code is `invalid_pdf`.
 */
export class UnreadablePdf extends FileError {}
