import { FormData } from "undici";
import type { FormHead, ToModel } from "../contract-tasks.ts";
import { imageTypeOf } from "../image-type.ts";
import { type Ask, askModel, type TaskDeps } from "./ask-model.ts";
import { type Events, eventAnswer } from "./event-answer.ts";
import type { FormFile } from "./read-form.ts";
import { usageOfImages } from "./read-usage.ts";
import { readObject, wholeAnswer } from "./whole-answer.ts";

/** Ten large images as base64, with those that show how they are made. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** In base64 without padding. */
const SIGNATURE_BYTES = 12;

/** Makes images. Source: OpenAI API reference, images. */
export async function makeImages(
  deps: TaskDeps,
  { model, request, userId, labels }: ToModel,
  signal: AbortSignal,
): Promise<Response> {
  const ask: Ask = {
    kind: "image",
    model,
    userId,
    labels,
    path: "/images/generations",
    body: (target) => ({
      type: "application/json",
      body: JSON.stringify({ ...request, model: target }),
    }),
    maxAnswerBytes: MAX_ANSWER_BYTES,
  };
  const prompt = String(request["prompt"] ?? "");
  const last = request["stream"] === true ? "image_generation.completed" : undefined;
  return answerOf(deps, ask, { prompt, last }, signal);
}

/** Makes images of images. Source: OpenAI API reference, images. */
export async function editImages(
  deps: TaskDeps,
  { model, userId, labels, fields }: FormHead,
  files: readonly FormFile[],
  signal: AbortSignal,
): Promise<Response> {
  const isOne = files.filter(({ field }) => field === "image").length === 1;
  const ask: Ask = {
    kind: "image",
    model,
    userId,
    labels,
    path: "/images/edits",
    body: (target) => ({ body: toForm(target, fields, files, isOne) }),
    maxAnswerBytes: MAX_ANSWER_BYTES,
  };
  const { prompt = "", stream } = fields;
  const last = stream === "true" ? "image_edit.completed" : undefined;
  return answerOf(deps, ask, { prompt, last }, signal);
}

/** Servers of one image know the field without brackets alone. */
function toForm(
  model: string,
  fields: FormHead["fields"],
  files: readonly FormFile[],
  isOne: boolean,
): FormData {
  const form = new FormData();
  for (const { field, name, type, bytes } of files) {
    const sent = field === "image" && !isOne ? "image[]" : field;
    // clients declare any type, and providers refuse an image that is not of its type
    const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString("base64");
    form.append(sent, new Blob([bytes], { type: imageTypeOf(start) ?? type }), name);
  }
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.set("model", model);
  return form;
}

async function answerOf(
  deps: TaskDeps,
  ask: Ask,
  { prompt, last }: { prompt: string; last: string | undefined },
  signal: AbortSignal,
): Promise<Response> {
  const answer = await askModel(deps, ask, signal);
  if (last !== undefined) return eventAnswer(answer, imageEvents(last, prompt));
  return wholeAnswer(answer, signal, (text) =>
    usageOfImages([readObject(text, "data")], prompt),
  );
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
