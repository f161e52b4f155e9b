import type { z } from "zod";
import { callForFile, type Fetch } from "../../../../platform/http/call.ts";
import { BadRequest, TooLarge } from "../../../../platform/http/errors.ts";
import { collectBytes } from "../../../../platform/http/read-body.ts";
import { readUploads } from "../../../../platform/http/read-upload.ts";
import {
  type FormHead,
  MAX_FILES_BYTES,
  type RecordingHead,
  type mediaContract,
} from "../../../completion/contract-media.ts";

export interface FormFile {
  /** In brackets where there are several. */
  field: string;
  name: string;
  type: string;
  bytes: Uint8Array;
}

const MEBIBYTE = 1024 * 1024;
const UNKNOWN_TYPE = "application/octet-stream";

/**
 * Reads a form of files, and its fields by this schema.
 * @throws BadRequest `upload_invalid`, `validation_failed`, TooLarge `files_too_large`.
 */
export async function readFiles<Fields extends z.ZodObject>(
  request: Request,
  schema: Fields,
  maxFiles: number,
): Promise<{ fields: Record<string, string>; known: z.output<Fields>; files: FormFile[] }> {
  const room = { bytesLeft: MAX_FILES_BYTES };
  const { fields, stored: files } = await readUploads(
    request,
    async ({ field, name, type = UNKNOWN_TYPE, body }) => ({
      field,
      name: name.slice(0, 300),
      type: type.slice(0, 200),
      bytes: await collectBytes(body, room, tooLarge),
    }),
    { anyOrder: true, maxFiles },
  );
  const known = schema.safeParse(fields);
  if (known.success) return { fields, known: known.data, files };
  const [issue] = known.error.issues;
  throw fieldInvalid(String(issue?.path[0]), issue?.message ?? "");
}

/** Sends a form to the completion service, whose answer is passed on as it arrives. */
export function sendForm(
  completion: Fetch,
  route: (typeof mediaContract)["editImages" | "transcribe"],
  head: Omit<FormHead, "files"> | Omit<RecordingHead, "files">,
  files: readonly FormFile[],
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<Response> {
  const described = files.map(({ bytes, ...file }) => ({
    ...file,
    size: bytes.byteLength,
  }));
  const line = Buffer.from(`${JSON.stringify({ ...head, files: described })}\n`);
  const bytes = Buffer.concat([line, ...files.map((file) => file.bytes)]);
  return callForFile(completion, route, {}, { ...options, bytes });
}

function fieldInvalid(field: string, reason: string): BadRequest {
  return new BadRequest("validation_failed", `Correct the field "${field}": ${reason}.`);
}

function tooLarge(): TooLarge {
  const max = MAX_FILES_BYTES / MEBIBYTE;
  return new TooLarge(
    "files_too_large",
    `The files of a request have at most ${max} MB here. Send smaller or more compressed ones.`,
    { params: { maxBytes: MAX_FILES_BYTES } },
  );
}
