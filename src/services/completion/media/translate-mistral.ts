import { isRecord } from "../../../platform/json/is-record.ts";
import { withoutTrailingSlash } from "../providers/addresses.ts";
import type {
  MediaContent,
  MediaPath,
  TranslatedRequest,
} from "../providers/media-endpoint.ts";

const SOUNDS: Record<string, string> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

/**
 * Transcriptions have OpenAI's form; speech has an own one, and judgements do not say `flagged`.
 * Source: Mistral API reference, audio and classifiers.
 */
export function translateForMistral(
  { baseUrl, model }: { baseUrl: string; model: string },
  path: MediaPath,
  content: MediaContent,
): TranslatedRequest | undefined {
  if (!("json" in content)) return undefined;
  const url = `${withoutTrailingSlash(baseUrl)}${path}`;
  if (path === "/moderations")
    return { url, body: { ...content.json, model }, toOpenAi: toJudgement };
  if (path !== "/audio/speech") return undefined;
  const {
    voice,
    response_format: format = "mp3",
    instructions: _,
    // what it answers whole is made into events
    stream_format: __,
    ...more
  } = content.json;
  const named = isRecord(voice) ? voice["id"] : voice;
  return {
    url,
    body: { ...more, model, voice_id: named, response_format: format },
    toOpenAi(answer) {
      const data = isRecord(answer) ? answer["audio_data"] : undefined;
      if (typeof data !== "string") return undefined;
      const type = SOUNDS[String(format)] ?? "audio/mpeg";
      return { bytes: new Uint8Array(Buffer.from(data, "base64")), type };
    },
  };
}

function toJudgement(answer: unknown) {
  if (!isRecord(answer) || !Array.isArray(answer["results"])) return undefined;
  const results = answer["results"].filter(isRecord).map((result) => {
    const categories = isRecord(result["categories"]) ? result["categories"] : {};
    return { flagged: Object.values(categories).includes(true), ...result };
  });
  return { json: { ...answer, results } };
}
