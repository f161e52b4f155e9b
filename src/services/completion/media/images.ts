import type { FormHead, ToModel } from "../contract-media.ts";
import { withTypes } from "./to-body.ts";
import { type Ask, askMediaModel, type MediaDeps } from "./ask-media-model.ts";
import { type Events, eventAnswer } from "./event-answer.ts";
import type { FormFile } from "./read-form.ts";
import { usageOfImages } from "./read-usage.ts";
import { readObject } from "./read-object.ts";
import { wholeAnswer } from "./whole-answer.ts";

/** Ten large images as base64, with those that show how they are made. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Makes images. Source: OpenAI API reference, images. */
export async function makeImages(
  deps: MediaDeps,
  { model, request, userId, labels }: ToModel,
  signal: AbortSignal,
): Promise<Response> {
  const ask: Ask = {
    kind: "image",
    model,
    userId,
    labels,
    path: "/images/generations",
    content: { json: request },
    maxAnswerBytes: MAX_ANSWER_BYTES,
    isSlow: true,
  };
  const prompt = String(request["prompt"] ?? "");
  const last = request["stream"] === true ? "image_generation.completed" : undefined;
  return answerOf(deps, ask, { prompt, last }, signal);
}

/** Makes images of images. Source: OpenAI API reference, images. */
export async function editImages(
  deps: MediaDeps,
  { model, userId, labels, fields }: FormHead,
  files: readonly FormFile[],
  signal: AbortSignal,
): Promise<Response> {
  const isOne = files.filter(({ field }) => field === "image").length === 1;
  // servers of one image know the field without brackets alone
  const named = files.map(({ field, ...file }) => ({
    ...file,
    field: field === "image" && !isOne ? "image[]" : field,
  }));
  const ask: Ask = {
    kind: "image",
    model,
    userId,
    labels,
    path: "/images/edits",
    content: { fields, files: withTypes(named) },
    maxAnswerBytes: MAX_ANSWER_BYTES,
    isSlow: true,
  };
  const { prompt = "", stream } = fields;
  const last = stream === "true" ? "image_edit.completed" : undefined;
  return answerOf(deps, ask, { prompt, last }, signal);
}

async function answerOf(
  deps: MediaDeps,
  ask: Ask,
  { prompt, last }: { prompt: string; last: string | undefined },
  signal: AbortSignal,
): Promise<Response> {
  return askMediaModel(deps, ask, signal, async (answer) => {
    if (last !== undefined) return eventAnswer(answer, imageEvents(last, prompt));
    return wholeAnswer(answer, (text) => usageOfImages([readObject(text, "data")], prompt));
  });
}

/** One ends each image. */
function imageEvents(last: string, prompt: string): Events {
  return {
    last,
    usageOf: (ended) => usageOfImages(ended, prompt),
    fromWhole({ data, created, usage, ...shared }) {
      const made = Array.isArray(data) ? data : [];
      return made.map((image: object, at) => ({
        type: last,
        created_at: created,
        ...shared,
        ...image,
        // of all of them
        ...(at === 0 && usage !== undefined && { usage }),
      }));
    },
  };
}
