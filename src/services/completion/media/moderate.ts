import type { ToModel } from "../contract-media.ts";
import { askMediaModel, type MediaDeps } from "./ask-media-model.ts";
import { textIn, usageOfText } from "./read-usage.ts";
import { readObject } from "./read-object.ts";
import { wholeAnswer } from "./whole-answer.ts";

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Judges texts and images. Source: OpenAI API reference, moderations. */
export async function moderate(
  deps: MediaDeps,
  { model, request, userId, labels }: ToModel,
  signal: AbortSignal,
): Promise<Response> {
  return askMediaModel(
    deps,
    {
      kind: "moderation",
      model,
      userId,
      labels,
      path: "/moderations",
      content: { json: request },
      maxAnswerBytes: MAX_ANSWER_BYTES,
      isSlow: false,
    },
    signal,
    (answer) =>
      wholeAnswer(answer, (text) => {
        readObject(text, "results");
        return usageOfText(textIn(request["input"]));
      }),
  );
}
