import { Readable } from "node:stream";
import busboy from "busboy";
import { ApiError, BadRequest, TooLarge, UnsupportedType } from "./errors.ts";
import { uploadedBytes } from "./read-body.ts";
import { endsWithin } from "../within.ts";

/** One file of an upload, while it arrives. */
export interface UploadedFile {
  /** The name that the client gives. Shown to people, never used as a path. */
  name: string;
  /** The media type that the client gives. Absent when it does not identify the kind of file. */
  type?: string;
  /**
   * Ends only when the whole upload has arrived and is valid, so that no invalid upload is kept.
   */
  body: AsyncIterable<Uint8Array>;
}

interface FormFile extends UploadedFile {
  /** That of the form that it is in. */
  field: string;
}

interface Upload<Stored> {
  fields: Record<string, string>;
  stored: Stored;
}

interface Options {
  /** Fields may be behind the files. */
  anyOrder?: boolean;
  /** Default: 1. */
  maxFiles?: number;
}

/** The maximum wait for the removal of what was stored of a broken upload. */
const MAX_CLEANUP_MS = 5_000;
const MAX_FIELDS = 20;
const MAX_FIELD_CHARACTERS = 64 * 1024;

/** The types that clients send when they do not know the type. */
const NO_TYPE = ["application/octet-stream", "text/plain"];

type Store<Stored> = (file: FormFile, fields: Record<string, string>) => Promise<Stored>;

/**
 * Reads `multipart/form-data` with exactly one file, which is passed to `store` while it arrives
 * and is never held in memory as a whole. `store` receives all fields: they must precede the file,
 * or with `anyOrder` are all there when the file has been read to its end. Of a name that ends
 * in `[]` all values count, with commas between.
 * @throws UnsupportedType, BadRequest `upload_invalid`, TooLarge, and what `store` throws.
 */
export async function readUpload<Stored>(
  request: Request,
  store: Store<Stored>,
  options: { anyOrder?: boolean } = {},
): Promise<Upload<Stored>> {
  const { fields, stored } = await readUploads(request, store, options);
  const [first] = stored;
  if (first === undefined) throw new Error("an upload without a file is refused");
  return { fields, stored: first };
}

/** The same with up to `maxFiles` files, which `store` receives one after the other. */
export async function readUploads<Stored>(
  request: Request,
  store: Store<Stored>,
  { anyOrder = false, maxFiles = 1 }: Options = {},
): Promise<Upload<Stored[]>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type) || !request.body)
    throw new UnsupportedType(
      "multipart_expected",
      'Send the file as multipart/form-data, in the field "file".',
    );
  const parser = parserOf(type, maxFiles);
  const source = Readable.from(uploadedBytes(request), { objectMode: false });
  const upload = collectParts(parser, source, store, { anyOrder, maxFiles });
  source.pipe(parser);
  try {
    await upload.parsed;
    if (upload.storing.length === 0)
      throw invalid('There is no file in the upload. Send it in the field "file".');
    return { fields: upload.fields, stored: await Promise.all(upload.storing) };
  } catch (error) {
    source.unpipe(parser);
    parser.destroy();
    source.resume();
    // wait until the stored part is removed, so that the client finds nothing of it after the
    // answer
    await endsWithin(MAX_CLEANUP_MS, Promise.allSettled(upload.storing));
    throw error;
  }
}

interface Parts<Stored> {
  fields: Record<string, string>;
  /** Settles when the whole upload has arrived, or with the first thing that is wrong. */
  parsed: Promise<void>;
  /** Of the files that have begun. */
  storing: readonly Promise<Stored>[];
}

/** Collects the fields that the parser finds, and passes the files to `store`. */
function collectParts<Stored>(
  parser: busboy.Busboy,
  source: Readable,
  store: Store<Stored>,
  { anyOrder, maxFiles }: Required<Options>,
): Parts<Stored> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>; // a field may be called __proto__
  const storing: Promise<Stored>[] = [];
  const { promise: parsed, resolve, reject } = Promise.withResolvers<void>();
  parser.on("field", (name, value, { valueTruncated }) => {
    if (valueTruncated) reject(fieldTooLarge(name));
    if (storing.length > 0 && !anyOrder)
      reject(invalid(`Send the field "${name}" before the file.`));
    const earlier = name.endsWith("[]") ? fields[name] : undefined;
    fields[name] = earlier === undefined ? value : `${earlier},${value}`;
  });
  parser.on("file", (field, stream, { filename, mimeType }) => {
    if (storing.length === maxFiles) return void stream.resume();
    let broken = false;
    // the stream may fail before it is read; without a listener that would end the process
    stream.on("error", () => (broken = true));
    const type = mimeType.toLowerCase();
    const file = {
      field,
      name: filename || "file",
      ...(!NO_TYPE.includes(type) && { type }),
      body: bytesOf(stream, () => parsed),
    };
    const stored = store(file, fields);
    storing.push(stored);
    // a failed store reads no further; the rest of the body is discarded
    stored.catch((error: unknown) => {
      stream.resume();
      if (broken && !(error instanceof ApiError)) reject(brokenOff());
      else reject(error instanceof Error ? error : new Error(String(error)));
    });
  });
  parser.on("filesLimit", () => reject(tooManyFiles(maxFiles)));
  parser.on("fieldsLimit", () => reject(invalid(`Send at most ${MAX_FIELDS} fields.`)));
  parser.on("error", () => reject(invalid("The body is not valid multipart/form-data.")));
  source.on("error", (error) => {
    const isOurs = error instanceof ApiError && error.code !== "body_incomplete";
    reject(isOurs ? error : brokenOff());
  });
  parser.on("close", resolve);
  return { fields, parsed, storing };
}

async function* bytesOf(
  stream: AsyncIterable<Uint8Array>,
  whole: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* stream;
  await whole();
}

function parserOf(type: string, maxFiles: number): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": type },
      defParamCharset: "utf8",
      limits: {
        files: maxFiles,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_CHARACTERS,
        fieldNameSize: 100,
        parts: MAX_FIELDS + maxFiles + 1,
        headerPairs: 50,
      },
    });
  } catch {
    throw invalid("The Content-Type names no boundary.");
  }
}

function fieldTooLarge(name: string): TooLarge {
  return new TooLarge(
    "field_too_large",
    `The field "${name}" is longer than ${MAX_FIELD_CHARACTERS} characters. Send less ` +
      "in it.",
    { params: { field: name, max: MAX_FIELD_CHARACTERS } },
  );
}

function tooManyFiles(max: number): BadRequest {
  return invalid(max === 1 ? "Send one file at a time." : `Send at most ${max} files.`);
}

function brokenOff(): BadRequest {
  return invalid("The upload ended too early. Send it again.");
}

function invalid(message: string): BadRequest {
  return new BadRequest("upload_invalid", message);
}
