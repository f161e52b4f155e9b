import { z } from "zod";
import { bodyText, limitKeys } from "../../../../platform/http/bounds.ts";
import { route } from "../../../../platform/http/route.ts";
import { errorBody, OpenAiError, statusOf } from "../contract-errors.ts";

/**
 * Images, speech, transcriptions and moderations of OpenAI's API, by models of the catalogue.
 * Fields that are not named here go to the provider as they are.
 */

const MAX_FIELDS = 40;
const Model = z
  .string()
  .min(1)
  .max(300)
  .nullish()
  .describe("A model of this kind; default: the first that you may use");
const ImagesRequest = limitKeys(
  z.looseObject({
    model: Model,
    prompt: z.string().min(1).max(32_000),
    n: z.number().int().min(1).max(10).nullish(),
    stream: z.boolean().nullish().describe("Events while images are made"),
  }),
  MAX_FIELDS,
);
const SpeechRequest = limitKeys(
  z.looseObject({
    model: Model,
    input: z.string().min(1).max(16_000),
    voice: z.union([
      z.string().min(1).max(200),
      z.object({ id: z.string().min(1).max(200) }),
    ]),
    response_format: z.enum(["mp3", "opus", "aac", "flac", "wav", "pcm"]).nullish(),
    stream_format: z
      .enum(["audio", "sse"])
      .nullish()
      .describe("`sse`: events with pieces of the sound, also where the model sends none"),
  }),
  MAX_FIELDS,
);
const Text = bodyText();
const ModerationPart = z.union([
  z.object({ type: z.literal("text"), text: Text }),
  z.object({
    type: z.literal("image_url"),
    image_url: z.object({ url: z.string().max(8_000_000) }),
  }),
]);
const ModerationRequest = limitKeys(
  z.looseObject({
    model: Model,
    input: z.union([
      Text,
      z.array(Text).min(1).max(2_048),
      z.array(ModerationPart).min(1).max(100),
    ]),
  }),
  MAX_FIELDS,
);

const Short = z.string().max(200).optional();
const Flag = z
  .enum(["true", "false"])
  .optional()
  .describe("`true`: events while it is made");
/** As the form names them; the provider reads the others, too. */
export const RecordingFields = z.object({
  model: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe("Default: the first that you may use"),
  language: Short,
  prompt: z.string().max(20_000).optional(),
  response_format: Short.describe("json, text, srt, verbose_json, vtt or diarized_json"),
  temperature: Short,
  stream: Flag,
});
/** As the form names them; the provider reads the others, too. */
export const EditFields = z.object({
  model: RecordingFields.shape.model,
  prompt: z.string().min(1).max(32_000),
  n: z.coerce.number().int().min(1).max(10).optional(),
  size: Short,
  quality: Short,
  stream: Flag,
});

const ofOpenAi = {
  method: "post",
  access: ["key", "jwt"],
  permission: "conversation:create",
  changes: "none",
  errorSchema: OpenAiError,
  errorBody,
  statusOf,
} as const;

const recording = {
  ...ofOpenAi,
  raw: true,
  upload: { as: ["multipart"], fields: RecordingFields },
  produces: ["application/json", "text/plain", "text/event-stream"],
} as const;

const Images = z.object({
  created: z.number().int(),
  data: z.array(
    z.object({
      b64_json: z.string().optional(),
      url: z.string().optional(),
      revised_prompt: z.string().optional(),
    }),
  ),
});

export const openAiMediaContract = {
  openAiImages: route({
    ...ofOpenAi,
    path: "/v1/images/generations",
    summary: "Make images as OpenAI's clients ask for it",
    description:
      "With `stream` as server-sent events, whose last one for an image is `image_generation.completed`.",
    body: ImagesRequest,
    example: { prompt: "A paper boat on a lake", size: "1024x1024" },
    produces: ["text/event-stream"],
    ok: Images,
  }),
  openAiImageEdits: route({
    ...ofOpenAi,
    raw: true,
    path: "/v1/images/edits",
    summary: "Change images, or make one of several, as OpenAI's clients ask for it",
    description:
      "Up to 16 images in `image` or `image[]`, and a `mask`; 25 MB together. Fields may be behind " +
      "the files. As JSON, `images` and `mask` name them by `file_id`, or as a data: URL in `image_url`. With `stream` as server-sent events.",
    upload: {
      as: ["multipart"],
      fields: EditFields,
      files: { image: "several", mask: "one" },
    },
    produces: ["text/event-stream"],
    ok: Images,
  }),
  openAiSpeech: route({
    ...ofOpenAi,
    path: "/v1/audio/speech",
    summary: "Speak a text as OpenAI's clients ask for it",
    description:
      "The sound is sent while it is made, in `response_format`, by default mp3; with `stream_format` " +
      "`sse` as events, whose last one is `speech.audio.done`.",
    body: SpeechRequest,
    example: { input: "Good morning.", voice: "alloy" },
    produces: ["application/octet-stream", "*/*", "text/event-stream"],
  }),
  openAiTranscription: route({
    ...recording,
    path: "/v1/audio/transcriptions",
    summary: "Write down a recording as OpenAI's clients ask for it",
    description:
      "At most 25 MB. Its fields may be behind the file. With `stream` as server-sent events, " +
      "whose last one is `transcript.text.done`.",
  }),
  openAiTranslation: route({
    ...recording,
    path: "/v1/audio/translations",
    summary: "Write down a recording in English as OpenAI's clients ask for it",
    description: "At most 25 MB. Its fields may be behind the file.",
  }),
  openAiModeration: route({
    ...ofOpenAi,
    path: "/v1/moderations",
    summary: "Judge whether texts or images are harmful, as OpenAI's clients ask for it",
    body: ModerationRequest,
    example: { input: "Good morning." },
    maxBody: 8 * 1024 * 1024,
    ok: z.object({
      id: z.string(),
      model: z.string(),
      results: z.array(
        z.object({
          flagged: z.boolean(),
          categories: z.record(z.string(), z.unknown()),
          category_scores: z.record(z.string(), z.unknown()),
        }),
      ),
    }),
  }),
};
