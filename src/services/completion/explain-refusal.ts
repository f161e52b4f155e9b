import { badGateway, type ProviderFailure, statusFailure } from "./provider-failures.ts";

/** The words that tell are at the beginning. */
const MAX_READ_CHARACTERS = 4_000;

/** Causes that providers name in their words and codes, whatever the status. Order matters. */
const CAUSES: [words: readonly string[], failure: () => ProviderFailure][] = [
  [
    [
      "content_?filter",
      "content filtering",
      "content management policy",
      "responsibleai",
      "content[ _]policy",
      "data_inspection_failed",
      "prohibited_content",
      "content exists risk",
      "considered high risk",
      "blocked by (?:our )?safety",
      "flagged as",
      "was flagged",
      "usage guidelines",
      "safety system",
      "new_sensitive",
      "敏感内容",
    ],
    () =>
      badGateway(
        "provider_filtered",
        "The provider's content filter refused the request. Ask in other words, or choose " +
          "another model.",
      ),
  ],
  [
    [
      "insufficient[_ ](?:quota|balance|credits?|funds)",
      "credit balance is too low",
      "requires more credits",
      "out of credits",
      "all available credits",
      "spending limit",
      "billing_(?:hard_limit|not_active)",
      "payment required",
      "arrearage",
      "exceeded_current_quota",
      "余额不足",
    ],
    noCredit,
  ],
  [
    [
      "maximum allowed number of output tokens",
      "max_(?:completion_|output_)?tokens.{0,40} is too large",
      "max_(?:completion_)?tokens. must be less",
      "valid range of max_(?:completion_)?tokens",
      "maximum tokens you requested exceeds",
      "maxOutputTokens value of",
    ],
    () =>
      badGateway(
        "provider_output_limit",
        "The model cannot write as many tokens as were asked for. Ask an administrator to enter " +
          "its largest output in the catalogue, or ask with a smaller limit of tokens.",
      ),
  ],
  [
    [
      "context[ _](?:length|window|size|limit)",
      "exceed_context",
      "prompt is too long",
      "prompt (?:length|token count)",
      "input is too long",
      "input token count",
      "range of input length",
      "too many (?:input )?tokens",
      "maximum input",
      "reduce the length",
      "token limit",
      "max_new_tokens. must be",
      "max_model_len",
      "超长",
    ],
    () =>
      badGateway(
        "provider_input_too_long",
        "The conversation is too long for the model. Start a new conversation, ask with less " +
          "text, or choose a model with a larger context.",
      ),
  ],
  [
    [
      "(?:does not|doesn't|not) support (?:tool|function)",
      "support parameters: \\['tool",
      "tools are not supported",
      "(?:tool use|tool calling|function calling). ?is (?:not supported|unsupported|not enabled)",
      "enable-auto-tool-choice",
      "requires --jinja",
      "no endpoints found that support tool",
    ],
    () =>
      badGateway(
        "provider_without_tools",
        "The model or its server cannot use tools. Choose another model, or ask without tools.",
      ),
  ],
  [
    [
      "(?:does not|doesn't|not) support (?:the )?(?:image|vision|multimodal)",
      "image input is not supported",
      "no endpoints found that support image",
      "at most 0 image",
      "required for image input",
      "unknown variant .image_url",
      "image_url is only supported",
      "not a multimodal model",
    ],
    () =>
      badGateway(
        "provider_without_images",
        "The model or its server cannot read images. Choose another model, or ask without " +
          "images.",
      ),
  ],
  [
    [
      "(?:does not|doesn't|not) support (?:pdf|file|document|audio|input_audio)",
      "pdf pages may be provided",
      "(?:could not|unable to) process (?:the )?(?:pdf|file|document)",
      "invalid (?:pdf|file) (?:data|content)",
      "document has no pages",
      "password protected pdf",
      "invalid_file_data",
      "document_parser_invalid_file",
      "unsupported audio",
    ],
    () =>
      badGateway(
        "provider_without_files",
        "The model or its provider does not take this file as it is: of this kind, of this size, or " +
          "with so many pages. Choose another model, or send its text.",
      ),
  ],
  [
    ["model_not_found", "model not found", "no such model", "unknown model"],
    () => statusFailure(404),
  ],
];
const PATTERNS = CAUSES.map(
  ([words, failure]) => [new RegExp(words.join("|"), "i"), failure] as const,
);

const LENGTHS: ReadonlySet<string> = new Set([
  "provider_input_too_long",
  "provider_output_limit",
]);
const RATE = /rate[_ ]?limit|too many requests|throttl|please wait/i;

function noCredit(): ProviderFailure {
  return badGateway(
    "provider_no_credit",
    "The account at the model's provider has no credit left, or its quota is used up. Ask an " +
      "administrator to check its billing, or choose another model.",
  );
}

/** The failure behind a status and the words of an answer, which are not passed on. */
export function refusalFailure(
  status: number,
  retryAfter: string | undefined,
  words: string,
  cause?: unknown,
): ProviderFailure {
  if (status === 402) return noCredit();
  // a wrong key is one, whatever else is said
  if (status === 401) return statusFailure(status, retryAfter, cause);
  const read = words.slice(0, MAX_READ_CHARACTERS);
  const known = PATTERNS.find(([pattern]) => pattern.test(read));
  const failure = known?.[1]();
  // "too many tokens, please wait" is no question that is too long
  const isRate = status === 429 && failure && LENGTHS.has(failure.code);
  return failure && !isRate ? failure : statusFailure(status, retryAfter, cause);
}

/** The failure behind an error that a provider sent in a stream, in any of the usual shapes. */
export function errorFailure(error: unknown): ProviderFailure {
  const words = typeof error === "string" ? error : (JSON.stringify(error) ?? "");
  const { status, code } = (error ?? {}) as Record<string, unknown>; // a text has none
  const named = [status, code].map(Number).find((number) => number >= 400 && number < 600);
  const isRate = RATE.test(words.slice(0, MAX_READ_CHARACTERS));
  return refusalFailure(named ?? (isRate ? 429 : 500), undefined, words);
}
