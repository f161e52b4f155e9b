import {
  type ApiError,
  BadGateway,
  TooManyRequests,
  Unavailable,
} from "../../../platform/http/errors.ts";
import { readJson } from "../../../platform/http/read-json.ts";
import { TextRefused } from "./embedding-model.ts";

/** How servers report a text that is too long, with status 400: OpenAI, vLLM, Ollama, Mistral. */
const TOO_LONG =
  /context.?length|too (long|large|many (input )?tokens)|maximum.{0,40}tokens|exceed.{0,60}(tokens|length)/i;
const MAX_REFUSAL = { maxBytes: 64 * 1024, maxValues: 1_000 };

/** Converts an error response of the model's server to an ApiError. */
export async function failureOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const seconds = Number(response.headers.get("retry-after") ?? 0);
  const isTooLong = status === 400 && (await namesLength(response));
  await response.body?.cancel().catch(() => {});
  if (status === 429)
    return new TooManyRequests(
      "embedding_rate_limited",
      "The embedding model receives too many requests. Try again later.",
      seconds * 1_000,
    );
  if (status === 413 || status === 422 || isTooLong)
    return new TextRefused(
      "embedding_too_large",
      "A text is too long for the embedding model. Cut it smaller.",
    );
  if (status === 424 || status >= 500)
    return new Unavailable(
      "embedding_failed",
      `The embedding model answered ${status}. Try again later.`,
      seconds * 1_000,
    );
  if (status === 401 || status === 403)
    return new BadGateway(
      "embedding_refused",
      "The embedding model refused its credential. Check EMBEDDING_API_KEY, or the key of its provider.",
    );
  return new BadGateway(
    "embedding_failed",
    `The embedding model answered ${status}. Check its name and address (EMBEDDING_MODEL, EMBEDDING_BASE_URL).`,
  );
}

/**
 * Whether a 400 is about the length of a text. It may also mean a wrong model or field, and only
 * the message distinguishes them.
 */
async function namesLength(response: Response): Promise<boolean> {
  try {
    return TOO_LONG.test(JSON.stringify(await readJson(response, MAX_REFUSAL)) ?? "");
  } catch {
    return false;
  }
}
