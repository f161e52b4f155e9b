import { z } from "zod";
import type { Files } from "../../../platform/files/files.ts";
import { BadGateway } from "../../../platform/http/errors.ts";
import { parseJson } from "../../../platform/json/json-limits.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import { durationOf } from "./duration.ts";
import { detectLanguage } from "../../../platform/detect-language.ts";
import {
  type Endpoint,
  requestTranscription,
  toResponseError,
} from "./request-transcription.ts";
import type { Medium, ReadResult } from "./work-reading.ts";

interface Deps extends Endpoint {
  files: Files;
  workers: Pick<Workers, "run">;
}

/** `verbose_json` of the OpenAI audio API; compatible servers leave out many fields. */
const Transcription = z.object({
  text: z.string(),
  language: z.string().nullish(),
  duration: z.coerce.number().nullish(),
});
/** Each segment has a dozen numbers and its tokens. */
const MAX_RESPONSE_VALUES = 200_000;

/**
 * Returns a function that transcribes speech with an endpoint compatible with Whisper. It streams
 * the file.
 */
export function createTranscriber(deps: Deps) {
  return async (spoken: Medium, signal: AbortSignal): Promise<ReadResult> => {
    const { medium, storageKey } = spoken;
    const request = (format: string) =>
      requestTranscription(deps, format, spoken, () => deps.files.read(storageKey), signal);
    let response = await request("verbose_json");
    // newer models do not support `verbose_json`
    if (response.status === 400 && response.text.includes("response_format"))
      response = await request("json");
    if (response.status !== 200)
      throw toResponseError(response.status, response.retryAfterMs);
    const { text, language, duration } = parseTranscription(response.text);
    const stated = await durationOf(deps, storageKey, medium, signal);
    return {
      transcript: text,
      language:
        toLanguageCode(language ?? undefined) ??
        (await detectLanguage(text, 1)).language ??
        undefined,
      duration: stated ?? duration ?? undefined,
    };
  };
}

function parseTranscription(text: string): z.output<typeof Transcription> {
  try {
    return Transcription.parse(parseJson(text, { maxValues: MAX_RESPONSE_VALUES }));
  } catch (error) {
    throw new BadGateway(
      "transcription_invalid",
      "The transcription endpoint returned an invalid response. Check TRANSCRIPTION_URL.",
      { cause: error },
    );
  }
}

let codes: Map<string, string> | undefined;

/** Accepts `english` and `en`: endpoints differ. */
function toLanguageCode(language: string | undefined): string | undefined {
  const name = language?.toLowerCase().trim() ?? "";
  if (/^[a-z]{2}(-|$)/.test(name)) return name.slice(0, 2);
  if (!codes) {
    const names = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    codes = new Map(
      pairs.flatMap((code) => [[names.of(code)?.toLowerCase() ?? "", code] as const]),
    );
  }
  return name === "" ? undefined : codes.get(name);
}
