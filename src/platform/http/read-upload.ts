import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import busboy from "busboy";
import { ApiError, BadRequest, TooLarge, UnsupportedType } from "./errors.ts";
import { uploadedBytes } from "./read-body.ts";

/** One file of an upload, as it comes. */
export interface UploadedFile {
  /** As the client names it: for people, never for a path. */
  name: string;
  /** The media type that the client gives; absent where it says nothing of the kind of file. */
  type?: string;
  /** Ends when the whole upload has come and is right, so that nothing of a wrong one is kept. */
  body: AsyncIterable<Uint8Array>;
}

interface Upload<Stored> {
  fields: Record<string, string>;
  stored: Stored;
}

/** Longest wait for what was stored of a broken upload to be let go. */
const LETTING_GO_MS = 5_000;
const MAX_FIELDS = 20;
const MAX_FIELD_CHARACTERS = 64 * 1024;

/** What clients write where they do not know the type. */
const NO_TYPE = ["application/octet-stream", "text/plain"];

/**
 * Reads `multipart/form-data` with exactly one file, which goes to `store` while it arrives and is
 * never held whole. Fields come before the file: `store` gets all of them.
 * @throws UnsupportedType, BadRequest `upload_invalid`, TooLarge, and what `store` throws.
 */
export async function readUpload<Stored>(
  request: Request,
  store: (file: UploadedFile, fields: Record<string, string>) => Promise<Stored>,
): Promise<Upload<Stored>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type) || !request.body)
    throw new UnsupportedType(
      "multipart_expected",
      'Send the file as multipart/form-data, in the field "file".',
    );
  const parser = parserOf(type);
  const fields: Record<string, string> = Object.create(null) as Record<string, string>; // a field may be called __proto__
  let storing: Promise<Stored> | undefined;
  const source = Readable.from(uploadedBytes(request), { objectMode: false });
  const parsed = new Promise<void>((resolve, reject) => {
    parser.on("field", (name, value, { valueTruncated }) => {
      if (valueTruncated)
        reject(
          new TooLarge(
            "field_too_large",
            `The field "${name}" is longer than ${MAX_FIELD_CHARACTERS} characters.`,
          ),
        );
      if (storing) reject(invalid(`Send the field "${name}" before the file.`));
      fields[name] = value;
    });
    parser.on("file", (_, stream, { filename, mimeType }) => {
      if (storing) return void stream.resume();
      let broken = false;
      // it may break before anybody reads it, and without a listener that would end the process
      stream.on("error", () => (broken = true));
      const type = mimeType.toLowerCase();
      const file = {
        name: filename || "file",
        ...(!NO_TYPE.includes(type) && { type }),
        body: bytesOf(stream, () => parsed),
      };
      storing = store(file, fields);
      // one that fails reads no further; the rest of the body is let go
      storing.catch((error: unknown) => {
        stream.resume();
        if (broken && !(error instanceof ApiError))
          reject(invalid("The upload broke off. Send it again."));
        else reject(error instanceof Error ? error : new Error(String(error)));
      });
    });
    parser.on("filesLimit", () => reject(invalid("Send one file at a time.")));
    parser.on("fieldsLimit", () => reject(invalid(`Send at most ${MAX_FIELDS} fields.`)));
    parser.on("error", () => reject(invalid("The body is not valid multipart/form-data.")));
    source.on("error", (error) => {
      const tooSlow = error instanceof ApiError && error.status === 408;
      reject(tooSlow ? error : invalid("The upload broke off. Send it again."));
    });
    parser.on("close", resolve);
  });
  source.pipe(parser);
  try {
    await parsed;
    if (!storing) throw invalid('There is no file in the upload. Send it in the field "file".');
    return { fields, stored: await storing };
  } catch (error) {
    source.unpipe(parser);
    parser.destroy();
    source.resume();
    // whoever is told that it failed finds nothing of it: what was stored is let go first
    await Promise.race([storing?.catch(() => {}), sleep(LETTING_GO_MS, undefined, { ref: false })]);
    throw error;
  }
}

async function* bytesOf(
  stream: AsyncIterable<Uint8Array>,
  whole: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* stream;
  await whole();
}

function parserOf(type: string): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": type },
      defParamCharset: "utf8",
      limits: {
        files: 1,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_CHARACTERS,
        fieldNameSize: 100,
        parts: MAX_FIELDS + 2,
        headerPairs: 50,
      },
    });
  } catch {
    throw invalid("The Content-Type names no boundary.");
  }
}

function invalid(message: string): BadRequest {
  return new BadRequest("upload_invalid", message);
}
