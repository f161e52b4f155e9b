import type { z } from "zod";
import { BadRequest, TooLarge } from "../../../platform/http/errors.ts";
import { collectBytes, uploadedBytes } from "../../../platform/http/read-body.ts";
import { type FormHead, MAX_FILES_BYTES } from "../contract-media.ts";
import type { MediaFile } from "../providers/media-endpoint.ts";

export type FormFile = MediaFile;

const LINE_FEED = 10;
const MAX_HEAD_BYTES = 1024 * 1024;

/**
 * Reads a line of JSON, and then the bytes of the files that it names.
 * @throws BadRequest `form_invalid`, TooLarge `body_too_large`.
 */
export async function readForm<Head extends FormHead>(
  request: Request,
  schema: z.ZodType<Head>,
): Promise<{ head: Head; files: FormFile[] }> {
  const room = { bytesLeft: MAX_HEAD_BYTES + MAX_FILES_BYTES };
  const whole = await collectBytes(uploadedBytes(request), room, tooLarge);
  const end = whole.indexOf(LINE_FEED);
  if (end === -1) throw formInvalid();
  const { data: head } = schema.safeParse(parsed(whole.subarray(0, end)));
  if (!head) throw formInvalid();
  let from = end + 1;
  const files = head.files.map(({ size, ...file }) => {
    const bytes = whole.subarray(from, from + size);
    from += size;
    return { ...file, bytes };
  });
  if (from !== whole.byteLength) throw formInvalid();
  return { head, files };
}

function parsed(line: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(line).toString());
  } catch {
    return undefined;
  }
}

function tooLarge(): TooLarge {
  return new TooLarge("body_too_large", "The files are too large. Send smaller ones.");
}

function formInvalid(): BadRequest {
  return new BadRequest(
    "form_invalid",
    "The body must be one line of JSON, which describes the files, and then their bytes.",
  );
}
