import { stat, readdir, readFile } from "node:fs/promises";
import { join, extname, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { chooseEncoding, type Encoding } from "../../platform/http/accept-encoding.ts";
import { NotFound } from "../../platform/http/errors.ts";
import { BytesResponse } from "../../platform/http/lazy-response.ts";
import { matchesEtag } from "../../platform/http/fixed-answer.ts";
import { singleFlight } from "../../platform/single-flight.ts";
import { createHash } from "node:crypto";

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
  // what a model reads aloud
  "media-src blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-src 'self'",
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
 * What draws in a sandboxed frame: it has no origin, so it reads nothing of the app, and asks no
 * server for anything but the scripts of the app. The page that holds the frame lets it go to no
 * other server either (`frame-src`).
 */
const FRAME_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; " +
  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/**
 * The same for pages and components that a model wrote, whose scripts run: they ask no server.
 * `webrtc` closes a way out that the other parts do not name, where the browser knows it. What none
 * of them closes: a page may have the browser look up a name, or open a connection to it.
 */
const RESULT_POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; " +
  "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; " +
  "webrtc 'block'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/**
 * The same for views of tools' results, which may also use the sites that the operator names: a
 * page in the frame gets a second policy, by which it uses only those that it declares.
 */
function viewPolicy(origins: readonly string[]): string {
  const sites = origins.map((origin) => ` ${origin}`).join("");
  const sockets = origins.map((origin) => ` ${origin.replace(/^http/, "ws")}`).join("");
  return (
    `sandbox allow-scripts; default-src 'none'; script-src 'self' 'unsafe-inline'${sites}; ` +
    `style-src 'unsafe-inline'${sites}; img-src data: blob:${sites}; font-src data:${sites}; ` +
    `media-src data: blob:${sites}; connect-src${sites ? sites + sockets : " 'none'"}; ` +
    "webrtc 'block'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
  );
}

/**
 * Serves the built web app: its files, and `index.html` for every page. A new build is served
 * without a restart.
 * @returns a function that answers a request, or returns undefined for what is not of the web app.
 */
export function openWebApp(
  folder = DEFAULT_FOLDER,
  viewOrigins: readonly string[] = [],
): (request: Request) => Promise<Response | undefined> {
  const index = join(folder, "index.html");
  /** Policies of the pages of frames, by the path of their files. */
  const frames: Record<string, string> = {
    "/frame/drawing.html": FRAME_POLICY,
    "/frame/result.html": RESULT_POLICY,
    "/frame/view.html": viewPolicy(viewOrigins),
  };
  let files = new Map<string, WebFile>();
  let builtAt: number | undefined;
  // or each of the first requests would read all files
  const refresh = singleFlight(async () => {
    const modifiedAt = (await stat(index).catch(() => undefined))?.mtimeMs;
    // during a build there is no index.html, and the former build is served
    if (modifiedAt === undefined || modifiedAt === builtAt) return;
    files = await readWebFiles(folder);
    builtAt = modifiedAt;
  });
  return async (request) => {
    if (!["GET", "HEAD"].includes(request.method)) return undefined;
    const { pathname } = new URL(request.url);
    const wantsPage = !NO_PAGES.test(pathname) && acceptsHtml(request);
    if (wantsPage || !files.has(pathname)) await refresh();
    const file = files.get(pathname);
    const framePolicy = frames[pathname];
    if (file && framePolicy) return toFrameResponse(request, file, framePolicy);
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

function toFrameResponse(request: Request, file: WebFile, policy: string): Response {
  return toResponse(request, file, {
    "cache-control": "no-cache",
    "content-security-policy": policy,
    "x-frame-options": "SAMEORIGIN",
    "x-dns-prefetch-control": "off",
  });
}

function toFileResponse(request: Request, file: WebFile): Response {
  const cacheControl = file.isHashed ? "public, max-age=31536000, immutable" : "no-cache";
  const headers = {
    "cache-control": cacheControl,
    "content-security-policy": FILE_POLICY,
    // a frame without an origin loads its modules as a foreign one: these files are public
    ...(file.isHashed && { "access-control-allow-origin": "*" }),
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
  return new BytesResponse(body, {
    headers: {
      "content-type": mime,
      vary: "accept-encoding",
      ...(encoding && { "content-encoding": encoding }),
      ...headers,
    },
  });
}

/** A file of the built web app, with its compressed copies. */
interface WebFile {
  mime: string;
  etag: string;
  /**
   * Whether its name contains a hash of its content, as all files in this folder of the build do.
   */
  isHashed: boolean;
  bytes: Uint8Array<ArrayBuffer>;
  compressed: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>;
}

const HASHED_FOLDER = "/assets/";
const SUFFIXES: Record<Encoding, string> = { br: ".br", gzip: ".gz" };
const MIME_TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Reads a build of the web app into memory: a few megabytes. Keys are the paths of requests. */
async function readWebFiles(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const bytesOf = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join("/")}`;
    bytesOf.set(path, new Uint8Array(await readFile(file)));
  }
  const files = new Map<string, WebFile>();
  for (const [path, bytes] of bytesOf) {
    const mime = MIME_TYPES[extname(path)];
    if (mime === undefined) continue;
    const br = bytesOf.get(path + SUFFIXES.br);
    const gzip = bytesOf.get(path + SUFFIXES.gzip);
    files.set(path, {
      mime,
      bytes,
      etag: `W/"${createHash("sha256").update(bytes).digest("base64url")}"`,
      isHashed: path.startsWith(HASHED_FOLDER),
      compressed: { ...(br && { br }), ...(gzip && { gzip }) },
    });
  }
  return files;
}
