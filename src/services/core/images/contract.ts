import { z } from "zod";
import { bodyText } from "../../../platform/http/bounds.ts";
import { route } from "../../../platform/http/route.ts";

/** Images and sound by models of the catalogue, for people and programs. */

const Answering = z
  .string()
  .describe(
    "Id of the model that answered, which may be a fallback of the one that was asked",
  );

const Model = z
  .string()
  .min(1)
  .max(300)
  .optional()
  .describe("A model of this kind; default: the first that you may use");

export const TranscriptionFields = z.object({
  model: Model,
  language: z.string().max(20).optional().describe("Such as de; default: it is recognized"),
});

export const imagesContract = {
  generateImages: route({
    method: "post",
    path: "/api/v1/images",
    access: "jwt",
    permission: "image:create",
    changes: "conversation",
    summary: "Make images",
    description:
      "With `conversationId` they become files of that conversation, which takes its role `editor`.",
    body: z.object({
      prompt: z.string().trim().min(1).max(32_000),
      count: z.number().int().min(1).max(4).default(1),
      size: z.string().max(20).optional().describe("Such as 1024x1024"),
      model: Model,
      conversationId: z.uuid().optional(),
    }),
    example: { prompt: "A paper boat on a lake" },
    ok: z.object({
      model: Answering,
      images: z.array(
        z.object({
          mediaType: z.string(),
          data: z.string().describe("base64").meta({ contentEncoding: "base64" }),
          file: z
            .object({ id: z.uuid(), name: z.string() })
            .optional()
            .describe("GET /api/v1/conversation/files/{id}/content"),
        }),
      ),
    }),
  }),
  makeSpeech: route({
    method: "post",
    path: "/api/v1/speech",
    access: "jwt",
    permission: "conversation:create",
    changes: "none",
    summary: "Speak a text",
    description: "The sound is sent while it is made.",
    body: z.object({
      text: bodyText().min(1).max(16_000),
      model: Model,
      voice: z
        .string()
        .min(1)
        .max(200)
        .default("alloy")
        .describe("As the provider names it"),
      format: z.enum(["mp3", "opus", "aac", "flac", "wav", "pcm"]).default("mp3"),
    }),
    example: { text: "Good morning." },
    produces: ["application/octet-stream", "*/*"],
  }),
  makeTranscription: route({
    method: "post",
    path: "/api/v1/transcriptions",
    access: "jwt",
    permission: "conversation:create",
    changes: "none",
    summary: "Write down a recording",
    description: "multipart/form-data with `file`, at most 25 MB; fields may be behind it.",
    raw: true,
    upload: { as: ["multipart"], fields: TranscriptionFields },
    ok: z.object({ model: Answering, text: z.string() }),
  }),
};
