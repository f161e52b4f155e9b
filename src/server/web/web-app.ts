import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chooseEncoding, type Encoding } from "../../platform/http/accept-encoding.ts";
import { NotFound } from "../../platform/http/errors.ts";
import { matchesEtag } from "../../platform/http/fixed-answer.ts";
import { readWebFiles, type WebFile } from "./web-files.ts";

/** The output folder of `npm run build:web`. */
const DEFAULT_FOLDER = fileURLToPath(new URL("../../../web/dist/", import.meta.url));

/** Paths of other interfaces, which never answer with a page. */
const NO_PAGES = /^\/(?:api|mcp|v1|\.well-known)(?:\/|$)/;

/**
 * Pages load scripts, styles and images only from this server. With Trusted Types the browser
 * refuses text where code is expected.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // the app's policy accepts only the addresses of its workers
  "trusted-types parlance",
].join("; ");

/** A worker script obeys the policy of its own response, because it loads further scripts. */
const FILE_POLICY =
  "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

/**
 * Serves the built web app: its files, and `index.html` for every page. A new build is served
 * without a restart.
 * @returns a function that answers a request, or returns undefined for what is not of the web app.
 */
export function openWebApp(
  folder = DEFAULT_FOLDER,
): (request: Request) => Promise<Response | undefined> {
  const index = join(folder, "index.html");
  let files = new Map<string, WebFile>();
  let builtAt: number | undefined;
  const refresh = async () => {
    const modifiedAt = (await stat(index).catch(() => undefined))?.mtimeMs;
    // during a build there is no index.html, and the former build is served
    if (modifiedAt === undefined || modifiedAt === builtAt) return;
    files = await readWebFiles(folder);
    builtAt = modifiedAt;
  };
  return async (request) => {
    if (!["GET", "HEAD"].includes(request.method)) return undefined;
    const { pathname } = new URL(request.url);
    const wantsPage = !NO_PAGES.test(pathname) && acceptsHtml(request);
    if (wantsPage || !files.has(pathname)) await refresh();
    const file = files.get(pathname);
    if (file && pathname !== "/index.html") return toFileResponse(request, file);
    if (!wantsPage) return undefined;
    const page = files.get("/index.html");
    if (page) return toPageResponse(request, page);
    throw new NotFound(
      "web_app_not_built",
      "The web app is not built. Run: npm run build:web. GET /docs describes the API.",
    );
  };
}

function acceptsHtml({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/html") ?? false;
}

/** A page is never cached, because after an upgrade it would name missing files. */
function toPageResponse(request: Request, page: WebFile): Response {
  return toResponse(request, page, {
    "cache-control": "no-store",
    "content-security-policy": PAGE_POLICY,
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(self)",
  });
}

function toFileResponse(request: Request, file: WebFile): Response {
  const cacheControl = file.isHashed ? "public, max-age=31536000, immutable" : "no-cache";
  const headers = {
    "cache-control": cacheControl,
    "content-security-policy": FILE_POLICY,
    etag: file.etag,
  };
  if (matchesEtag(request, file.etag))
    return new Response(null, {
      status: 304,
      headers: { ...headers, vary: "accept-encoding" },
    });
  return toResponse(request, file, headers);
}

function toResponse(
  request: Request,
  { bytes, compressed, mime }: WebFile,
  headers: Record<string, string>,
): Response {
  const offered = Object.keys(compressed) as Encoding[]; // the keys of the record
  const encoding = chooseEncoding(request, offered);
  const body = (encoding && compressed[encoding]) ?? bytes;
  return new Response(body, {
    headers: {
      "content-type": mime,
      "content-length": String(body.byteLength),
      vary: "accept-encoding",
      ...(encoding && { "content-encoding": encoding }),
      ...headers,
    },
  });
}
