import {
  type ApiError,
  BadGateway,
  TooManyRequests,
  Unavailable,
} from "../../../platform/http/errors.ts";
import { readRetryAfter } from "../../../platform/http/retry-after.ts";
import { serverWords } from "../../../platform/http/server-words.ts";
import { TextRefused } from "./embedding-model.ts";

/** How servers report a text that is too long, with status 400: OpenAI, vLLM, Ollama, Mistral. */
const TOO_LONG =
  /context.?length|too (long|large|many (input )?tokens)|maximum.{0,40}tokens|exceed.{0,60}(tokens|length)/i;
/** How servers report too many texts at once, with status 400: DashScope, Gemini, Cohere, Azure. */
const TOO_MANY =
  /batch.{0,80}(size|larger|most|maximum|limit|exceed|too)|too many (inputs|texts|items|documents|requests in)|(array|list|inputs?|texts|items|documents|instances).{0,60}(at most|no more than|too long|maximum|limit|exceed)|(at most|maximum.{0,20}|more than|limit of|up to) \d+ (inputs|texts|items|documents|requests|instances|elements|strings)/i;
const NAMED_LIMIT =
  /(?:larger than|more than|greater than|at most|exceeds?|up to|maximum(?: is| of|:)?|limit(?: is| of|:)?|max(?: is|:)?|<=) ?(\d{1,5})(?!\d)/i;

/** Too many texts at once. `limit` is the number that the server named, if it did. */
export class BatchRefused extends TextRefused {
  readonly limit: number | undefined;
  constructor(said: string) {
    super(
      "embedding_too_large",
      `The embedding model refuses so many texts at once.${said}`,
    );
    const named = Number(NAMED_LIMIT.exec(said)?.[1] ?? 0);
    this.limit = named > 0 ? named : undefined;
  }
}

/** Converts an error response of the model's server to an ApiError with the server's words. */
export async function failureOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const askedMs = readRetryAfter(response.headers.get("retry-after")) ?? 0;
  const words = await serverWords(response);
  const said = words === "" ? "" : ` It said: ${words}`;
  if (status === 429)
    return new TooManyRequests(
      "embedding_rate_limited",
      `The embedding model receives too many requests. Try again later.${said}`,
      askedMs,
    );
  // servers report a text that is too long in the same words, but name tokens
  const isTooLong = TOO_LONG.test(words) && /token|context/i.test(words);
  if ([400, 413, 422].includes(status) && !isTooLong && TOO_MANY.test(words))
    return new BatchRefused(said);
  if (status === 413 || status === 422 || (status === 400 && TOO_LONG.test(words)))
    return new TextRefused(
      "embedding_too_large",
      `A text is too long for the embedding model. Cut it smaller.${said}`,
    );
  if (status === 424 || status >= 500)
    return new Unavailable(
      "embedding_failed",
      `The embedding model answered ${status}. Try again later.${said}`,
      askedMs,
    );
  // the words of a refused credential may repeat a part of it
  if (status === 401 || status === 403)
    return new BadGateway(
      "embedding_refused",
      "The embedding model refused its credential. Check EMBEDDING_API_KEY, or the key of its provider.",
    );
  return new BadGateway(
    "embedding_failed",
    `The embedding model answered ${status}. Check its name and address (EMBEDDING_MODEL, EMBEDDING_BASE_URL).${said}`,
  );
}
