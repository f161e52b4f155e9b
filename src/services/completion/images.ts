import { BadRequest } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { CompletionRequest, Message } from "./contract.ts";
import type { Provider } from "./provider.ts";

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Of all images that a request names by their address. */
const MAX_TOTAL_BYTES = 32 * 1024 * 1024;
const MAX_IMAGES = 32;
const MAX_REDIRECTS = 3;
const FETCH_TIMEOUT_MS = 20_000;

type Part = Exclude<Message["content"], string>[number];
type ImagePart = Extract<Part, { type: "image" }>;

/**
 * For providers that take images only as bytes: what a request names by its address is fetched
 * first, through the guarded way out.
 */
export function withImages(provide: Provider): Provider {
  return async function* (ask) {
    yield* provide({ ...ask, request: await withBytes(ask.request, ask.outgoing, ask.signal) });
  };
}

async function withBytes(
  request: CompletionRequest,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<CompletionRequest> {
  const urls = new Set(
    request.messages.flatMap(({ content }) =>
      typeof content === "string" ? [] : content.flatMap(urlOf),
    ),
  );
  if (urls.size === 0) return request;
  if (urls.size > MAX_IMAGES)
    throw new BadRequest(
      "too_many_images",
      `A request may name at most ${MAX_IMAGES} images by their address.`,
    );
  const until = AbortSignal.any([signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
  const fetched = new Map<string, ImagePart>();
  let room = MAX_TOTAL_BYTES;
  for (const url of urls) {
    try {
      const image = await fetchImage(url, outgoing, Math.min(room, MAX_IMAGE_BYTES), until);
      fetched.set(url, image.part);
      room -= image.bytes;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof BadRequest) throw error;
      throw unfetched(url, "cannot be fetched", error);
    }
  }
  const filled = (part: Part): Part =>
    part.type === "image" ? (fetched.get(part.url ?? "") ?? part) : part;
  return {
    ...request,
    messages: request.messages.map((message) =>
      typeof message.content === "string"
        ? message
        : { ...message, content: message.content.map(filled) },
    ),
  };
}

function urlOf(part: Part): string[] {
  return part.type === "image" && part.url !== undefined ? [part.url] : [];
}

/** @throws BadRequest with a sentence that names the image's host. */
async function fetchImage(
  url: string,
  outgoing: Outgoing,
  largest: number,
  signal: AbortSignal,
): Promise<{ part: ImagePart; bytes: number }> {
  let address = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await outgoing.fetch(address, { headers: { accept: "image/*" }, signal });
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      address = new URL(location, address).href;
      continue;
    }
    const mediaType =
      (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
    if (!response.ok || !/^image\/[\w.+-]+$/.test(mediaType)) {
      await response.body?.cancel();
      throw unfetched(
        url,
        response.ok ? "is not an image" : `cannot be fetched (status ${response.status})`,
      );
    }
    const bytes = await bytesOf(response, url, largest);
    return {
      part: { type: "image", mediaType, data: bytes.toString("base64") },
      bytes: bytes.byteLength,
    };
  }
  throw unfetched(url, "redirects too often");
}

async function bytesOf(response: Response, url: string, largest: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    // leaving the loop cancels the body
    if (size > largest)
      throw unfetched(url, "is too large: 10 MB each and 32 MB together may be sent");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function unfetched(url: string, why: string, cause?: unknown): BadRequest {
  return new BadRequest(
    "image_unusable",
    `The image at ${new URL(url).host} ${why}. Use another address, or send its data.`,
    {
      cause,
    },
  );
}
