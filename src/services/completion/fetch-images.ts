import { ApiError, BadRequest } from "../../platform/http/errors.ts";
import { readBounded } from "../../platform/outgoing/bounded-body.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { CompletionRequest, Message } from "./contract.ts";
import type { ProviderClient } from "./provider-client.ts";

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Of all images that a request names by URL. */
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const MAX_IMAGES = 32;
const MAX_REDIRECTS = 3;
const FETCH_TIMEOUT_MS = 20_000;
const IMAGE_TYPE = /^image\/[\w.+-]+$/;

type Part = Exclude<Message["content"], string>[number];
type ImagePart = Extract<Part, { type: "image" }>;

/**
 * For providers that take images as bytes only: fetches the images that a request names by URL.
 * Only permitted addresses are called.
 */
export function withImages<Config>(client: ProviderClient<Config>): ProviderClient<Config> {
  return async function* (call) {
    const request = await replaceUrls(call.request, call.outgoing, call.signal);
    yield* client({ ...call, request });
  };
}

async function replaceUrls(
  request: CompletionRequest,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<CompletionRequest> {
  const urls = imageUrlsIn(request.messages);
  if (urls.size === 0) return request;
  if (urls.size > MAX_IMAGES)
    throw new BadRequest(
      "too_many_images",
      `A request may name at most ${MAX_IMAGES} images by URL. Send fewer, or send their data.`,
      { params: { max: MAX_IMAGES } },
    );
  const images = await fetchImages(urls, outgoing, signal);
  const replace = (part: Part): Part =>
    part.type === "image" ? (images.get(part.url ?? "") ?? part) : part;
  const messages = request.messages.map((message) =>
    typeof message.content === "string"
      ? message
      : { ...message, content: message.content.map(replace) },
  );
  return { ...request, messages };
}

function imageUrlsIn(messages: readonly Message[]): Set<string> {
  const parts = messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content,
  );
  return new Set(
    parts.flatMap((part) =>
      part.type === "image" && part.url !== undefined ? [part.url] : [],
    ),
  );
}

async function fetchImages(
  urls: ReadonlySet<string>,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<Map<string, ImagePart>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
  const images = new Map<string, ImagePart>();
  let bytesLeft = MAX_TOTAL_BYTES;
  for (const url of urls) {
    try {
      const maxBytes = Math.min(bytesLeft, MAX_IMAGE_BYTES);
      const { part, bytes } = await fetchImage(url, outgoing, maxBytes, limit);
      images.set(url, part);
      bytesLeft -= bytes;
    } catch (error) {
      signal.throwIfAborted();
      const code = error instanceof ApiError ? error.code : undefined;
      if (code === "image_unusable") throw error;
      // not by its own code, which would speak of the provider's address
      const isRefused = code === "address_not_allowed";
      const problem = isRefused ? "is where this server may not call" : "cannot be fetched";
      throw unusable(url, problem, error);
    }
  }
  return images;
}

/** @throws BadRequest that names the host of the image. */
async function fetchImage(
  url: string,
  outgoing: Outgoing,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ part: ImagePart; bytes: number }> {
  let address = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await outgoing.fetch(address, {
      headers: { accept: "image/*" },
      signal,
    });
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      address = new URL(location, address).href;
      continue;
    }
    const [contentType = ""] = (response.headers.get("content-type") ?? "").split(";");
    const mediaType = contentType.trim().toLowerCase();
    if (!response.ok || !IMAGE_TYPE.test(mediaType)) {
      await response.body?.cancel();
      const status = `cannot be fetched (status ${response.status})`;
      throw unusable(url, response.ok ? "is not an image" : status);
    }
    const bytes = await readBounded(response, maxBytes, () =>
      unusable(url, "is too large: the limits are 10 MB each and 32 MB together"),
    );
    const part = { type: "image" as const, mediaType, data: bytes.toString("base64") };
    return { part, bytes: bytes.byteLength };
  }
  throw unusable(url, "redirects too often");
}

function unusable(url: string, problem: string, cause?: unknown): BadRequest {
  return new BadRequest(
    "image_unusable",
    `The image at ${new URL(url).host} ${problem}. Use another address, or send its data.`,
    { cause },
  );
}
