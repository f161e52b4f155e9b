import type { Fetch } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { readJson } from "../../../platform/http/read-json.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import { mediaContract } from "../../completion/contract-media.ts";
import { whoAnswered } from "../openai-api/media/naming-who.ts";
import { type FormFile, sendForm } from "../openai-api/media/send-form.ts";
import { type AffordDeps, chooseAffordable } from "../usage/afford-model.ts";

interface Deps extends AffordDeps {
  completion: Fetch;
  /** Until an answer begins. */
  timeoutMs: number;
}

export interface AskedTranscript {
  files: readonly FormFile[];
  /** Default: the first model of the kind that the user may use. */
  model?: string | undefined;
  /** Such as `de`; default: it is recognized. */
  language?: string | undefined;
}

export interface Transcript {
  text: string;
  /** The id of the one that wrote it. */
  model: string;
}

const MAX_TEXT = { maxBytes: 16 * 1024 * 1024, maxValues: 500_000 };

/**
 * What is said in a recording, by a model of the catalogue.
 * @throws ApiError of choosing a model, of budgets and of the completion service.
 */
export async function transcribe(
  deps: Deps,
  user: User,
  { files: given, model: named, language }: AskedTranscript,
  signal: AbortSignal,
): Promise<Transcript> {
  const { completion, timeoutMs } = deps;
  const afforded = await chooseAffordable(deps, user, named, "transcription");
  const fields = { response_format: "json", ...(language && { language }) };
  const { userId } = user;
  const head = {
    model: afforded.chosen.model,
    userId,
    task: "transcriptions" as const,
    fields,
  };
  const files = given.map((file) => ({ ...file, field: "file" }));
  const route = mediaContract.transcribe;
  const response = await sendForm(completion, route, head, files, { signal, timeoutMs });
  const answer = await readJson(response, MAX_TEXT);
  const text = isRecord(answer) ? answer["text"] : "";
  return {
    text: typeof text === "string" ? text.trim() : "",
    model: whoAnswered(response, afforded),
  };
}

/** Writes down a recording that stands in a message; undefined where no model does it. */
export function createTranscriber(deps: Deps) {
  return async (
    user: User,
    recording: { data: string; mediaType: string; name?: string | null | undefined },
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const { data, mediaType, name } = recording;
    const type = mediaType;
    const extension = type === "audio/mpeg" ? "mp3" : type.slice("audio/".length);
    const bytes = Buffer.from(data, "base64");
    const file = { field: "file", name: name || `recording.${extension}`, type, bytes };
    try {
      return (await transcribe(deps, user, { files: [file] }, signal)).text;
    } catch (error) {
      const isMissing =
        error instanceof ApiError &&
        ["model_unknown", "permission_missing"].includes(error.code);
      if (isMissing) return undefined;
      throw error;
    }
  };
}
