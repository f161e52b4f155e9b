import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { chooseEncoding } from "./accept-encoding.ts";
import { TextResponse } from "./lazy-response.ts";

interface Content {
  body: string;
  headers: Record<string, string>;
}

interface Built extends Content {
  compressed: Uint8Array<ArrayBuffer>;
}

/**
 * Serves an answer that does not change while the process runs. It is built and compressed once, on
 * the first request, and has an ETag that saves clients from fetching it again.
 */
export function fixedAnswer(
  build: () => Promise<Content>,
): (request: Request) => Promise<Response> {
  let built: Promise<Built> | undefined;
  return async (request) => {
    const { body, compressed, headers } = await (built ??= prepare(build));
    if (matchesEtag(request, headers["etag"] ?? ""))
      return new Response(null, { status: 304, headers });
    if (chooseEncoding(request, ["gzip"]) === undefined)
      return new TextResponse(body, { headers });
    return new Response(compressed, {
      headers: { ...headers, "content-encoding": "gzip" },
    });
  };
}

async function prepare(build: () => Promise<Content>): Promise<Built> {
  const { body, headers } = await build();
  // weak, since both encodings share it
  const etag = `W/"${createHash("sha256").update(body).digest("base64url")}"`;
  return {
    body,
    compressed: new Uint8Array(await promisify(gzip)(body)),
    headers: { ...headers, etag, vary: "accept-encoding", "cache-control": "no-cache" },
  };
}

/** Whether the client has this version already (RFC 9110, 13.1.2). */
export function matchesEtag({ headers }: Request, etag: string): boolean {
  const given = headers.get("if-none-match");
  return given?.split(",").some((one) => ["*", etag].includes(one.trim())) ?? false;
}
