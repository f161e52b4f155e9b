import { FileError } from "@parlance/to-markdown/file-error.ts";
import { UnreadablePdf } from "@parlance/to-markdown/pdf/pdf-errors.ts";
import { expect, test } from "vitest";
import { statusOf } from "./status-of.ts";

test.each([
  ["file_damaged", 400],
  ["file_encrypted", 400],
  ["too_complex", 413],
  ["file_type_not_supported", 415],
])("a file that is %s is answered with %i", (code, status) => {
  expect(statusOf(new FileError(code, "It cannot be read."))).toBe(status);
});

test("a PDF that cannot be read is answered with 422, whatever the reason", () => {
  expect(statusOf(new UnreadablePdf("too_complex", "It is too large."))).toBe(422);
});
