import { z } from "zod";
import { jsonObject } from "../../platform/http/bounds.ts";
import { MAX_BODY_BYTES, MAX_BODY_VALUES, route } from "../../platform/http/route.ts";
import { CarriedLabels } from "../users/contract-judge-labels.ts";

/** What models do beside answering: images, speech, transcriptions and moderation. */

const ToModel = z.object({
  model: z.string().min(1).max(300),
  request: jsonObject(100).describe("In the form of OpenAI's API, without `model`"),
  userId: z.string().max(300).optional().describe("Whom the use is charged to"),
  labels: CarriedLabels.optional().describe(
    "Of what the request holds: a provider that one of them excludes is not asked",
  ),
});
export type ToModel = z.output<typeof ToModel>;
const TextToModel = ToModel.extend({
  shownModel: z.string().max(300).optional().describe("What the answer names as its model"),
});
export type TextToModel = z.output<typeof TextToModel>;

/** The line of JSON before the bytes of files, which follow each other. */
export const FormHead = z.object({
  model: ToModel.shape.model,
  userId: ToModel.shape.userId,
  labels: ToModel.shape.labels,
  fields: z.record(z.string().max(100), z.string().max(70_000)),
  files: z
    .array(
      z.object({
        field: z.enum(["file", "image", "mask"]),
        name: z.string().max(1_000),
        type: z.string().max(200),
        size: z.number().int().min(0),
      }),
    )
    .min(1)
    .max(17),
});
export type FormHead = z.output<typeof FormHead>;

export const RecordingHead = FormHead.extend({
  task: z.enum(["transcriptions", "translations"]),
});
export type RecordingHead = z.output<typeof RecordingHead>;

/** Of an answer: the id of the model that answered, as a URI, where another was asked. */
export const ANSWERED_BY_HEADER = "x-answered-by";

/** Of the files of one request together. */
export const MAX_FILES_BYTES = 25 * 1024 * 1024;
export const MAX_EDITED_IMAGES = 16;
const MAX_REQUEST_BYTES = 1024 * 1024;

const media = {
  method: "post",
  access: "completion-secret",
  changes: "none",
} as const;

const form = {
  ...media,
  raw: true,
  upload: { as: ["bytes"] },
  description:
    "The body is one line of JSON, which describes it, and then the bytes of its files.",
} as const;

export const mediaContract = {
  makeImages: route({
    ...media,
    path: "/api/v1/completions/images",
    summary: "Make images by a model",
    description: "With `stream` in the request as server-sent events.",
    body: ToModel,
    maxBody: MAX_REQUEST_BYTES,
    produces: ["application/json", "text/event-stream"],
  }),
  editImages: route({
    ...form,
    path: "/api/v1/completions/image-edits",
    summary: "Change images, or make one of several, by a model",
    produces: ["application/json", "text/event-stream"],
  }),
  speak: route({
    ...media,
    path: "/api/v1/completions/speech",
    summary: "Speak a text by a model; the sound is sent while it is made",
    body: ToModel,
    maxBody: MAX_REQUEST_BYTES,
    produces: ["application/octet-stream", "*/*"],
  }),
  transcribe: route({
    ...form,
    path: "/api/v1/completions/transcriptions",
    summary: "Write down what is said in a recording, by a model",
    produces: ["application/json", "text/plain", "text/event-stream"],
  }),
  moderate: route({
    ...media,
    path: "/api/v1/completions/moderations",
    summary: "Judge by a model whether texts or images are harmful",
    body: ToModel,
    maxBody: 8 * MAX_REQUEST_BYTES,
    produces: ["application/json"],
  }),
  writeText: route({
    ...media,
    path: "/api/v1/completions/text",
    summary: "Continue texts by a model whose provider has OpenAI's older API",
    description:
      "With `stream` in the request as server-sent events. Where the provider has no such API it " +
      "is a 400 `model_task_unsupported`.",
    body: TextToModel,
    maxBody: MAX_BODY_BYTES,
    maxValues: MAX_BODY_VALUES,
    produces: ["application/json", "text/event-stream"],
  }),
};
