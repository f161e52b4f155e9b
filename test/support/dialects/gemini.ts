import { type Dialect, json } from "./dialect.ts";

/**
 * Gemini: whole calls without ids that carry the signature of a thought, ended by `STOP`; prompts
 * that are blocked without a candidate; malformed calls as a reason. Sources: Gemini API reference,
 * GenerateContentResponse, thought signatures; THU-MAIC/OpenMAIC#1556.
 */
const usageMetadata = {
  promptTokenCount: 7,
  candidatesTokenCount: 3,
  totalTokenCount: 10,
  cachedContentTokenCount: 4,
};
const chunk = (parts: object[], finishReason?: string) =>
  `data: ${json({ candidates: [{ content: { parts, role: "model" }, index: 0, ...(finishReason && { finishReason }) }], usageMetadata, modelVersion: "m1", responseId: "r" })}\r\n\r\n`;
const hello = chunk([{ text: "Hello" }]);
const end = (reason: string) => chunk([{ text: "" }], reason);
const asks = (city: string, more: object = {}) => ({
  functionCall: { name: "weather", args: { city } },
  ...more,
});
const failure = (code: number, message: string) => ({
  error: { code, message, status: "X" },
});

export const gemini: Dialect = {
  kind: "google",
  wire: "google",
  model: "gemini-2.5-flash",
  replies: {
    text: hello + chunk([{ text: " there." }]) + end("STOP"),
    thinking:
      chunk([{ text: "A ", thought: true }]) +
      chunk([{ text: "plan.", thought: true }]) +
      chunk([{ text: "Hello there." }]) +
      end("STOP"),
    calls:
      chunk([asks("Rome", { thoughtSignature: "c2lnbmVk" }), asks("Bonn")]) + end("STOP"),
    length: hello + end("MAX_TOKENS"),
    filtered: hello + end("PROHIBITED_CONTENT"),
    cut: hello,
  },
  sentBack: ['"thoughtSignature":"c2lnbmVk"'],
  usage: { inputTokens: 7, outputTokens: 3, cachedInputTokens: 4 },
  errors: {
    before: [
      [
        400,
        json(
          failure(
            400,
            "The input token count (9) exceeds the maximum number of tokens allowed (8)",
          ),
        ),
        "provider_input_too_long",
      ],
      [429, json(failure(429, "Resource has been exhausted")), "provider_rate_limited"],
      [404, json(failure(404, "models/m1 is not found")), "provider_model_unknown"],
      [403, json(failure(403, "Permission denied")), "provider_refused_key"],
    ],
    inside: [
      [
        `${hello}data: ${json(failure(503, "The model is overloaded"))}\r\n\r\n`,
        "provider_failed",
      ],
      [hello + end("MALFORMED_FUNCTION_CALL"), "provider_failed"],
    ],
  },
  models: [
    {
      models: [
        {
          name: "models/gemini-2.5-flash",
          displayName: "Gemini 2.5 Flash",
          inputTokenLimit: 1,
        },
      ],
    },
    ["gemini-2.5-flash"],
  ],
};
