import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { chooseEncoding } from "./accept-encoding.ts";
import type { TextResponse } from "./lazy-response.ts";

const MIN_BYTES = 1_024;
/** Compresses as well as gzip in less time. Higher qualities are meant for static files. */
const BROTLI_QUALITY = 4;

const compress = {
  br: (text: Buffer) =>
    promisify(brotliCompress)(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: promisify(gzip),
};

/**
 * Returns the bytes of an answer, compressed if the client accepts it and the answer is long
 * enough, and sets the headers accordingly.
 */
export async function compressText(
  response: TextResponse,
  request: Request,
): Promise<Buffer> {
  const bytes = Buffer.from(response.whole);
  const { headers } = response;
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  if (!isJson || !response.isCompressible || bytes.byteLength < MIN_BYTES) return bytes;
  headers.append("vary", "accept-encoding");
  const encoding = chooseEncoding(request);
  if (encoding === undefined) return bytes;
  headers.set("content-encoding", encoding);
  return compress[encoding](bytes);
}
