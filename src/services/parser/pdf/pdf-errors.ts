import { ApiError } from "../../../platform/http/errors.ts";

/**
 * A file that cannot be read, and why: `invalid_pdf`, `password_required`, `wrong_password`, `unsupported_encryption`, `no_pages`,
 * `too_complex`. Another parser will hardly do better with these, except where the reason is `invalid_pdf`.
 */
export class UnreadablePdf extends ApiError {
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(422, code, message, options);
  }
}
