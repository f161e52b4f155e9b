/** Why a file cannot be read. Codes are stable; the message says what the user can do. */
export type FileErrorCode =
  | "file_damaged"
  | "file_encrypted"
  | "file_type_not_supported"
  | "too_complex"
  | "invalid_pdf"
  | "password_required"
  | "wrong_password"
  | "unsupported_encryption"
  | "no_pages"
  | (string & {});

export class FileError extends Error {
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}
