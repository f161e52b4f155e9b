import { createHash, createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeS3 extends AsyncDisposable {
  url: string;
  objects: Map<string, Buffer>;
  /** Multipart uploads that were neither completed nor aborted. */
  open: Map<string, Map<number, Buffer>>;
  /** The number of next requests that get a 503. */
  fail(times: number): void;
}

export const S3_KEYS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
export const BUCKET = "bucket";

/**
 * S3's REST API over HTTP, which verifies Signature Version 4 as documented (Amazon S3 API
 * reference).
 */
export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const open = new Map<string, Map<number, Buffer>>();
  let failing = 0;

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const send = (
      status: number,
      text: string | Buffer = "",
      headers: Record<string, string> = {},
    ) => response.writeHead(status, headers).end(text);
    const error = (status: number, code: string) =>
      send(
        status,
        `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} &amp; more</Message></Error>`,
      );
    if (failing > 0) {
      failing -= 1;
      return error(503, "SlowDown");
    }
    if (!isSigned(request)) return error(403, "SignatureDoesNotMatch");
    const url = new URL(request.url ?? "/", "http://s3");
    const [, bucket, ...rest] = url.pathname.split("/");
    if (bucket !== BUCKET) return error(404, "NoSuchBucket");
    const key = decodeURIComponent(rest.join("/"));
    const uploadId = url.searchParams.get("uploadId");
    const upload = uploadId === null ? undefined : open.get(uploadId);
    if (uploadId !== null && !upload) return error(404, "NoSuchUpload");
    switch (request.method) {
      case "PUT": {
        const etag = `"${createHash("md5").update(body).digest("hex")}"`;
        if (upload) upload.set(Number(url.searchParams.get("partNumber")), body);
        else objects.set(key, body);
        return send(200, "", { etag });
      }
      case "POST": {
        if (url.searchParams.has("uploads")) {
          const id = randomUUID();
          open.set(id, new Map());
          return send(
            200,
            `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
          );
        }
        const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(
          ([, number]) => Number(number),
        );
        const parts = named.map((number) => upload?.get(number) ?? Buffer.alloc(0));
        if (parts.slice(0, -1).some((part) => part.length < 5 * 2 ** 20))
          return error(400, "EntityTooSmall");
        objects.set(key, Buffer.concat(parts));
        open.delete(uploadId ?? "");
        return send(200, "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
      }
      case "DELETE":
        if (uploadId === null) objects.delete(key);
        else open.delete(uploadId);
        return send(204);
      default: {
        if (url.searchParams.get("list-type") === "2") {
          const prefix = url.searchParams.get("prefix") ?? "";
          const after = url.searchParams.get("start-after") ?? "";
          const keys = [...objects.keys()]
            .filter((name) => name.startsWith(prefix) && name > after)
            .sort()
            .slice(0, 1_000);
          const contents = keys.map(
            (name) =>
              `<Contents><Key>${name.replaceAll("&", "&amp;")}</Key><ETag>&quot;${createHash(
                "md5",
              )
                .update(objects.get(name) ?? "")
                .digest(
                  "hex",
                )}&quot;</ETag><Size>${objects.get(name)?.length}</Size></Contents>`,
          );
          return send(
            200,
            `<ListBucketResult><Name>${BUCKET}</Name>${contents.join("")}</ListBucketResult>`,
          );
        }
        const stored = objects.get(key);
        if (!stored) return error(404, "NoSuchKey");
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
        if (!range) return send(200, stored);
        if (Number(range[1]) >= stored.length) return error(416, "InvalidRange");
        return send(206, stored.subarray(Number(range[1]), Number(range[2]) + 1));
      }
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    open,
    fail(times) {
      failing = times;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Source: AWS Signature Version 4, "Create a signed request". */
function isSigned(request: IncomingMessage): boolean {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      request.headers.authorization ?? "",
    );
  if (!parts) return false;
  const [, keyId, date = "", region = "", signedHeaders = "", signature] = parts;
  if (keyId !== S3_KEYS.accessKeyId) return false;
  const url = new URL(request.url ?? "/", "http://s3");
  const query = [...url.searchParams]
    .map(([name, value]) => `${strict(name)}=${strict(value)}`)
    .sort()
    .join("&");
  const headers = signedHeaders
    .split(";")
    .map(
      (name) => `${name}:${String(request.headers[name]).trim().replace(/\s+/g, " ")}\n`,
    );
  const canonical = [
    request.method,
    url.pathname,
    query,
    headers.join(""),
    signedHeaders,
    request.headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = [
    "AWS4-HMAC-SHA256",
    request.headers["x-amz-date"],
    scope,
    createHash("sha256").update(canonical).digest("hex"),
  ].join("\n");
  const key = [date, region, "s3", "aws4_request"].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${S3_KEYS.secretAccessKey}`,
  );
  return hmac(key, text).toString("hex") === signature;
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function strict(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
