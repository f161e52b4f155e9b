import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { chooseEncoding, type Encoding } from "./accept-encoding.ts";
import { BytesResponse } from "./lazy-response.ts";
import { once } from "../single-flight.ts";

interface Content {
  body: string;
  headers: Record<string, string>;
}

interface Built {
  headers: Record<string, string>;
  plain: Uint8Array<ArrayBuffer>;
  compressed: Record<Encoding, Uint8Array<ArrayBuffer>>;
}

/**
 * Serves an answer that does not change while the process runs. It is built and compressed once
 * for each encoding, on the first request, and has an ETag that saves clients from fetching it
 * again. All requests share its bytes.
 */
export function fixedAnswer(
  build: () => Promise<Content>,
): (request: Request) => Promise<Response> {
  const prepared = once(() => prepare(build));
  return async (request) => {
    const { plain, compressed, headers } = await prepared();
    if (matchesEtag(request, headers["etag"] ?? ""))
      return new Response(null, { status: 304, headers });
    const encoding = chooseEncoding(request);
    if (encoding === undefined) return new BytesResponse(plain, { headers });
    return new BytesResponse(compressed[encoding], {
      headers: { ...headers, "content-encoding": encoding },
    });
  };
}

async function prepare(build: () => Promise<Content>): Promise<Built> {
  const { body, headers } = await build();
  // weak, since all encodings share it
  const etag = `W/"${createHash("sha256").update(body).digest("base64url")}"`;
  return {
    plain: new TextEncoder().encode(body),
    compressed: {
      br: new Uint8Array(await promisify(brotliCompress)(body)),
      gzip: new Uint8Array(await promisify(gzip)(body)),
    },
    headers: { ...headers, etag, vary: "accept-encoding", "cache-control": "no-cache" },
  };
}

/** Whether the client has this version already (RFC 9110, 13.1.2). */
export function matchesEtag({ headers }: Request, etag: string): boolean {
  const given = headers.get("if-none-match");
  return given?.split(",").some((one) => ["*", etag].includes(one.trim())) ?? false;
}
