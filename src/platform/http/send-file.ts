import { type ByteRange, readByteRange } from "../files/byte-range.ts";
import { attachment, contentDisposition, type FileBody } from "./attachment.ts";
import { ApiError } from "./errors.ts";
import { matchesEtag } from "./fixed-answer.ts";
import { API_POLICY } from "./respond.ts";

interface SentFile {
  fileName: string;
  mime: string;
  size: number;
  /** Strong: the same tag means the same bytes. */
  etag: string;
  /** Whether the caller asks a browser to show the file. Only safe types are shown. */
  inline: boolean;
  read: (range?: ByteRange) => Promise<FileBody>;
}

/** Formats that cannot run scripts of this origin. SVG, HTML and XML can. */
const SAFE_INLINE = /^(?:image\/(?:png|jpeg|gif|webp|bmp)|application\/pdf)$/;

/** Whether a browser may show files of this type where an inline answer is asked for. */
export function isShown(mime: string): boolean {
  return SAFE_INLINE.test(mime);
}

/**
 * Returns a stored file, or the range of it that the request asks for. It is a download unless an
 * inline answer is asked for and its type is safe.
 * @throws ApiError 416 `range_not_satisfiable`
 * Source: RFC 9110, 13 and 14.
 */
export async function sendFile(request: Request, file: SentFile): Promise<Response> {
  const { size, etag, mime } = file;
  const standing = { etag, "accept-ranges": "bytes", "cache-control": "private, no-cache" };
  if (matchesEtag(request, etag))
    return new Response(null, { status: 304, headers: standing });
  const range = rangeOf(request, file);
  const length = range ? range.end - range.start + 1 : size;
  const isHead = request.method === "HEAD";
  const body = isHead ? null : await file.read(range);
  const response = attachment(body, file, range ? 206 : 200);
  const { headers } = response;
  for (const [name, value] of Object.entries(standing)) headers.set(name, value);
  headers.set("content-length", String(length));
  if (range) headers.set("content-range", `bytes ${range.start}-${range.end}/${size}`);
  if (file.inline && isShown(mime)) {
    headers.set("content-disposition", contentDisposition("inline", file.fileName));
    headers.set("content-security-policy", policyOf(mime));
  }
  return response;
}

function rangeOf(request: Request, { size, etag }: SentFile): ByteRange | undefined {
  if (request.method !== "GET") return undefined;
  const condition = request.headers.get("if-range");
  if (condition !== null && condition.trim() !== etag) return undefined;
  const range = readByteRange(request.headers.get("range"), size);
  if (range === "unsatisfiable") throw outsideFile(size);
  return range;
}

/** Browsers do not show a PDF in a sandbox; their viewers run none of its scripts as ours. */
function policyOf(mime: string): string {
  return mime === "application/pdf" ? API_POLICY : `${API_POLICY}; sandbox`;
}

function outsideFile(size: number): ApiError {
  return new ApiError(
    416,
    "range_not_satisfiable",
    `The file has ${size} bytes, and the range begins after them. Ask for less.`,
    {
      params: { size },
      headers: { "content-range": `bytes */${size}`, "accept-ranges": "bytes" },
    },
  );
}
