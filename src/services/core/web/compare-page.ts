import { ApiError } from "../../../platform/http/errors.ts";
import { reportError } from "../../../platform/http/reported-error.ts";
import type { RouteOk } from "../../../platform/http/route.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import { compareTexts } from "../compare-texts.ts";
import type { pagesContract } from "./contract.ts";
import { dividePage } from "./divide-page.ts";
import { type Web, webUnavailable } from "./web-client.ts";

type Comparison = RouteOk<typeof pagesContract.compareWebPage>;

/** A part with fewer of the kept words is another text. */
const MIN_SHARE = 0.4;

interface Deps {
  /** Absent when no web service has an address here. */
  web?: Web | undefined;
  workers: Workers;
}

/**
 * Compares what an answer keeps of a page with the page as it is now.
 * @throws Unavailable `web_unavailable`, and what the workers throw.
 */
export async function comparePage(
  { web, workers }: Deps,
  userId: string,
  { url, content }: { url: string; content: string },
  signal: AbortSignal,
): Promise<Comparison> {
  if (!web) throw webUnavailable();
  try {
    const page = await web.read({ url, userId }, signal);
    const readAt = page.fetchedAt;
    if (plain(page.markdown).includes(plain(content))) return { state: "same", readAt };
    const parts = dividePage(page).map((one) => one.content);
    const after = mostLike(content, parts);
    if (after === undefined) return { state: "changed", readAt };
    const request = { before: content, after, by: "word" as const };
    const changes = await compareTexts(workers, request, { userId, signal });
    return {
      state: "changed",
      readAt,
      ...(changes && { changes: changes.map(({ kind, text }) => ({ kind, text })) }),
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return { state: "unreadable", problem: reportError(error) };
  }
}

/** Other spaces and line breaks are no change. */
function plain(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

/** The part with most of the words, the first of several. */
function mostLike(content: string, parts: readonly string[]): string | undefined {
  const kept = wordsOf(content);
  let best: { part: string; share: number } | undefined;
  for (const part of parts) {
    const share = kept.intersection(wordsOf(part)).size / kept.size;
    if (share >= MIN_SHARE && share > (best?.share ?? 0)) best = { part, share };
  }
  return best?.part;
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  );
}
