import { expect, test } from "vitest";
import { errorFailure, refusalFailure } from "./explain-refusal.ts";

/** The words by which servers of many kinds refuse, with the cause. */
const WORDS: Record<string, [status: number, words: string][]> = {
  provider_filtered: [
    [
      400,
      '{"error":{"code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}',
    ],
    [400, '{"error":{"message":"Content Exists Risk","code":"invalid_request_error"}}'],
    [400, '{"error":{"type":"content_filter","message":"it was considered high risk"}}'],
    [403, '{"error":{"code":403,"message":"moderation: your input was flagged"}}'],
    [
      400,
      '{"type":"error","error":{"message":"Output blocked by content filtering policy"}}',
    ],
    [400, '{"error":{"code":"1301","message":"可能包含不安全或敏感内容"}}'],
  ],
  provider_no_credit: [
    [402, ""],
    [429, '{"error":{"code":"insufficient_quota"}}'],
    [400, '{"error":{"message":"Your credit balance is too low to access the API"}}'],
    [429, '{"error":{"type":"exceeded_current_quota_error"}}'],
    [403, '{"error":"Your team has used all available credits"}'],
  ],
  provider_output_limit: [
    [
      400,
      '{"error":{"message":"max_tokens: 9 > 8, which is the maximum allowed number of output tokens"}}',
    ],
    [
      400,
      '{"error":{"message":"max_tokens is too large: 9. This model supports at most 8 completion tokens"}}',
    ],
    [
      400,
      "'max_tokens' or 'max_completion_tokens' is too large: 9. The maximum context length is 8",
    ],
    [400, '{"message":"The maximum tokens you requested exceeds the model limit of 8"}'],
    [400, '{"error":{"message":"`max_tokens` must be less than or equal to `8`"}}'],
    [400, '{"error":{"message":"Invalid value, the valid range of max_tokens is [1, 8]"}}'],
    [
      400,
      '{"error":{"message":"it has a maxOutputTokens value of 9 but the range is to 8"}}',
    ],
  ],
  provider_input_too_long: [
    [400, '{"error":{"code":"context_length_exceeded"}}'],
    [400, '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}'],
    [
      400,
      '{"error":{"message":"input length and `max_tokens` exceed context limit: 5 + 4 > 8"}}',
    ],
    [400, '{"error":{"message":"The input token count (9) exceeds the maximum (8)"}}'],
    [
      422,
      '{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8"}',
    ],
    [400, '{"error":{"type":"exceed_context_size_error"}}'],
    [400, "This model's maximum prompt length is 8 but the request contains 9 tokens"],
    [400, '{"code":"InvalidParameter","message":"Range of input length should be [1, 8]"}'],
    [413, "Please reduce the length of the messages or completion."],
  ],
  provider_without_tools: [
    [400, '{"error":{"message":"m does not support tools"}}'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'],
    [500, '{"error":{"message":"tools param requires --jinja flag"}}'],
    [400, "This model doesn't support tool use in streaming mode."],
    [400, '{"error":{"message":"`tool calling` is not supported with this model"}}'],
    [404, "No endpoints found that support tool use."],
    [400, "openai does not support parameters: ['tools'], for model=m"],
    [400, '{"error":{"message":"Function calling is not enabled for models/m"}}'],
  ],
  provider_without_images: [
    [
      500,
      '{"error":{"message":"image input is not supported - hint: provide the mmproj"}}',
    ],
    [404, "No endpoints found that support image input"],
    [400, '{"message":"At most 0 image(s) may be provided in one prompt."}'],
    [400, "unknown variant `image_url`, expected `text`"],
    [400, "This model doesn't support the image content block that you provided"],
    [400, '{"error":{"message":"m is not a multimodal model"}}'],
  ],
  provider_model_unknown: [
    [404, ""],
    [400, '{"error":{"code":"model_not_found"}}'],
    [500, '{"error":"No such model: m"}'],
  ],
  provider_refused_key: [[401, '{"error":"content_filter, context length"}']],
  provider_refused_request: [[400, '{"error":{"message":"temperature must be a number"}}']],
  provider_rate_limited: [
    [429, '{"error":{"message":"slow down"}}'],
    [429, '{"message":"Too many tokens, please wait before trying again."}'],
    [429, '{"error":{"message":"You have reached the token limit of this minute"}}'],
  ],
  provider_failed: [[503, '{"error":{"message":"Loading model"}}']],
};

test.each(
  Object.entries(WORDS).flatMap(([code, all]) =>
    all.map(([status, words]) => [status, words, code] as const),
  ),
)("%i with %s is %s", (status, words, code) => {
  expect(refusalFailure(status, undefined, words).code).toBe(code);
});

test.each<[unknown, string]>([
  [{ code: 429, message: "slow down" }, "provider_rate_limited"],
  [{ type: "rate_limit_error", message: "slow down" }, "provider_rate_limited"],
  [{ code: "rate_limit_exceeded" }, "provider_rate_limited"],
  [{ message: "Too many tokens, please wait" }, "provider_rate_limited"],
  [{ status: 401 }, "provider_refused_key"],
  [{ code: "502", message: "the provider is down" }, "provider_failed"],
  [{ type: "overloaded_error" }, "provider_failed"],
  [{ message: "prompt is too long" }, "provider_input_too_long"],
  ["model not found", "provider_model_unknown"],
  [undefined, "provider_failed"],
])("an error %j inside a stream is %s", (error, code) => {
  expect(errorFailure(error).code).toBe(code);
});

test("a wait that the provider names is passed on", () => {
  expect(refusalFailure(429, "7", "").headers?.["retry-after"]).toBe("7");
});
