import { createHash } from "node:crypto";
import type { Cache } from "../../platform/cache/cache.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { readBounded } from "../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Task } from "../../platform/workers/task.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import { MAX_PAGE_CHARACTERS, WebPage } from "./contract.ts";
import type pageToText from "./page-to-text.ts";
import { unreadable } from "./contract-unreadable.ts";

const MAX_PAGE_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const FETCH_TIMEOUT_MS = 20_000;
const CACHE_TTL_MS = 3_600_000;
const MAX_NAME_CHARACTERS = 200;

const TO_TEXT: Task<typeof pageToText> = {
  file: new URL("./page-to-text.ts", import.meta.url),
  timeoutMs: 10_000,
  advice: "Read another page.",
};

interface Deps {
  outgoing: Pick<Outgoing, "fetch">;
  workers: Pick<Workers, "run">;
  cache: Pick<Cache, "get" | "set">;
}

/**
 * Reads a page of the public web as markdown. Each hop of a redirect passes the guard of outgoing
 * calls. Nobody's credentials are sent, so a page is the same for everybody and kept for an hour.
 * @throws BadRequest of `contract-unreadable.ts`, `address_not_allowed`, and what the workers
 * throw.
 */
export async function readPage(
  { outgoing, workers, cache }: Deps,
  { url, userId }: { url: string; userId?: string | undefined },
  signal: AbortSignal,
): Promise<WebPage> {
  const address = withoutFragment(url);
  const key = `web-page:${createHash("sha256").update(address).digest("hex")}`;
  const kept = await cache.get(key);
  if (kept !== null) return WebPage.parse(JSON.parse(kept));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
  const fetched = await fetchPage(outgoing, address, limit).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
    throw unreadable[limit.aborted ? "slow" : "unreachable"](hostOf(address));
  });
  const { bytes, mediaType } = fetched;
  const input = {
    bytes,
    mediaType,
    fileName: nameOf(fetched.url),
    maxCharacters: MAX_PAGE_CHARACTERS,
  };
  const text = await workers.run(TO_TEXT, input, { userId, signal });
  if ("unreadable" in text) throw unreadable.noPage(hostOf(fetched.url));
  if (text.markdown.trim() === "") throw unreadable.withoutText(hostOf(fetched.url));
  const page: WebPage = {
    url: fetched.url,
    title: text.title || hostOf(fetched.url),
    markdown: text.markdown,
    mediaType,
    fetchedAt: new Date().toISOString(),
  };
  await cache.set(key, JSON.stringify(page), CACHE_TTL_MS, userId);
  return page;
}

interface Fetched {
  url: string;
  bytes: Buffer;
  mediaType: string;
}

async function fetchPage(
  outgoing: Deps["outgoing"],
  first: string,
  signal: AbortSignal,
): Promise<Fetched> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await outgoing.fetch(url, {
      headers: {
        accept: "text/html, application/xhtml+xml, text/plain, */*;q=0.5",
        "user-agent": "Parlance (reads a page for a person)",
      },
      signal,
    });
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      if (!URL.canParse(location, url)) throw unreadable.redirectedNowhere(hostOf(url));
      url = withoutFragment(new URL(location, url).href);
      continue;
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw unreadable.status(hostOf(url), response.status);
    }
    const tooLarge = () => unreadable.tooLarge(hostOf(url));
    const declared = Number(response.headers.get("content-length"));
    if (declared > MAX_PAGE_BYTES) {
      await response.body?.cancel();
      throw tooLarge();
    }
    const bytes = await readBounded(response, MAX_PAGE_BYTES, tooLarge);
    return { url, bytes, mediaType: mediaTypeOf(response) };
  }
  throw unreadable.redirects(hostOf(first));
}

/** With its charset, by which texts are decoded. */
function mediaTypeOf({ headers }: Response): string {
  return (headers.get("content-type") ?? "application/octet-stream")
    .slice(0, MAX_NAME_CHARACTERS)
    .toLowerCase();
}

/** @throws BadRequest `web_address_incomplete`. */
function withoutFragment(text: string): string {
  if (!URL.canParse(text)) throw unreadable.address();
  const url = new URL(text);
  url.hash = "";
  return url.href;
}

/** The last part of the path, whose ending helps where the bytes do not show the type. */
function nameOf(url: string): string {
  return (new URL(url).pathname.split("/").at(-1) ?? "").slice(-MAX_NAME_CHARACTERS);
}

function hostOf(url: string): string {
  return new URL(url).host;
}
