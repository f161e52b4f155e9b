import type { FileError } from "@parlance/to-markdown/file-error.ts";
import { UnreadablePdf } from "@parlance/to-markdown/pdf/pdf-errors.ts";

const STATUS: Record<string, number> = {
  file_damaged: 400,
  file_encrypted: 400,
  too_complex: 413,
  file_type_not_supported: 415,
};

/** The HTTP status of a file that cannot be read. */
export function statusOf(error: FileError): number {
  return error instanceof UnreadablePdf ? 422 : (STATUS[error.code] ?? 422);
}
