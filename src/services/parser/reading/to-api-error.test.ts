import { FileError } from "@parlance/to-markdown/file-error.ts";
import { UnreadablePdf } from "@parlance/to-markdown/pdf/open-pdf.ts";
import { expect, test } from "vitest";
import { NotFound } from "../../../platform/http/errors.ts";
import { toApiError } from "./to-api-error.ts";

test.each([
  ["file_damaged", 400],
  ["file_encrypted", 400],
  ["too_complex", 413],
  ["file_type_not_supported", 415],
])("a file that is %s is answered with %i", (code, status) => {
  const error = toApiError(new FileError(code, "It cannot be read."));
  expect(error).toMatchObject({ status, code, message: "It cannot be read." });
});

test("a PDF that cannot be read is answered with 422, whatever the reason", () => {
  const error = new UnreadablePdf("too_complex", "It is too large.");
  expect(toApiError(error)).toMatchObject({ status: 422, code: "too_complex" });
});

test("a reader that fails is the fault of the file, and of ours where the system failed", () => {
  const cause = new TypeError("a reader's mistake");
  expect(toApiError(cause)).toMatchObject({ status: 422, code: "file_unreadable", cause });
  const system = Object.assign(new Error("no such module"), { syscall: "open" });
  expect(toApiError(system)).toMatchObject({ status: 500, code: "parser_failed" });
  const ours = new NotFound("page_not_found", "There is no such page.");
  expect(toApiError(ours)).toBe(ours);
});
