import { z } from "zod";
import { jsonObject } from "../../platform/http/bounds.ts";
import { route } from "../../platform/http/route.ts";

/** What models do beside answering: images, speech, transcriptions and moderation. */

const ToModel = z.object({
  model: z.string().min(1).max(300),
  request: jsonObject(100).describe("In the form of OpenAI's API, without `model`"),
  userId: z.string().max(300).optional().describe("Whom the use is charged to"),
});
export type ToModel = z.output<typeof ToModel>;

/** The line of JSON before the bytes of a recording. */
export const RecordingHead = z.object({
  model: ToModel.shape.model,
  userId: ToModel.shape.userId,
  task: z.enum(["transcriptions", "translations"]),
  fields: z.record(z.string().max(100), z.string().max(70_000)),
  name: z.string().max(1_000),
  type: z.string().max(200),
});
export type RecordingHead = z.output<typeof RecordingHead>;

export const MAX_RECORDING_BYTES = 25 * 1024 * 1024;
const MAX_REQUEST_BYTES = 1024 * 1024;

const task = {
  method: "post",
  access: "completion-secret",
  changes: "none",
} as const;

export const tasksContract = {
  makeImages: route({
    ...task,
    path: "/api/v1/completions/images",
    summary: "Make images by a model",
    body: ToModel,
    maxBody: MAX_REQUEST_BYTES,
    produces: ["application/json"],
  }),
  speak: route({
    ...task,
    path: "/api/v1/completions/speech",
    summary: "Speak a text by a model; the sound is sent while it is made",
    body: ToModel,
    maxBody: MAX_REQUEST_BYTES,
    produces: ["application/octet-stream", "*/*"],
  }),
  transcribe: route({
    ...task,
    path: "/api/v1/completions/transcriptions",
    summary: "Write down what is said in a recording, by a model",
    description: "The body is one line of JSON, which describes it, and then the bytes.",
    raw: true,
    upload: { as: ["bytes"] },
    produces: ["application/json", "text/plain"],
  }),
  moderate: route({
    ...task,
    path: "/api/v1/completions/moderations",
    summary: "Judge by a model whether texts or images are harmful",
    body: ToModel,
    maxBody: 8 * MAX_REQUEST_BYTES,
    produces: ["application/json"],
  }),
};
