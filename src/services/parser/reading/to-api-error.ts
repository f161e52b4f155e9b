import { FileError } from "@parlance/to-markdown/file-error.ts";
import { UnreadablePdf } from "@parlance/to-markdown/pdf/open-pdf.ts";
import { ApiError } from "../../../platform/http/errors.ts";

const STATUS: Record<string, number> = {
  file_damaged: 400,
  file_encrypted: 400,
  too_complex: 413,
  file_type_not_supported: 415,
};

/** What is said about a file when the task that reads it throws. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof FileError)
    return new ApiError(statusOf(error), error.code, error.message);
  // not a fault of the file: part of the program cannot be read
  if (error instanceof Error && "syscall" in error)
    return new ApiError(500, "parser_failed", error.message);
  return new ApiError(
    422,
    "file_unreadable",
    "This file cannot be read: it is damaged, or not what its name says. Save it " +
      "again, or send another copy.",
    { cause: error instanceof Error ? error : new Error(String(error)) },
  );
}

/** The HTTP status of a file that cannot be read. */
function statusOf(error: FileError): number {
  return error instanceof UnreadablePdf ? 422 : (STATUS[error.code] ?? 422);
}
