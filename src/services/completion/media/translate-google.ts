import { isRecord } from "../../../platform/json/is-record.ts";
import { optionUnsupported } from "../contract-option-unsupported.ts";
import { withoutTrailingSlash } from "../providers/addresses.ts";
import type {
  MediaContent,
  MediaFile,
  MediaPath,
  TranslatedRequest,
} from "../providers/media-endpoint.ts";

/**
 * Gemini makes images, speaks and transcribes by `generateContent`, Imagen makes images by
 * `predict`.
 * Source: Gemini API reference, image generation, Imagen, speech generation, audio understanding.
 */
export function translateForGoogle(
  { baseUrl, model }: { baseUrl: string; model: string },
  path: MediaPath,
  content: MediaContent,
): TranslatedRequest | undefined {
  const url = (method: string) =>
    `${withoutTrailingSlash(baseUrl)}/models/${encodeURIComponent(model)}:${method}`;
  if (path === "/images/generations" && /imagen/i.test(model))
    return imagen(url("predict"), content);
  const generate = url("generateContent");
  const { stream } = fieldsOf(content);
  const transcribe =
    stream === "true" ? `${url("streamGenerateContent")}?alt=sse` : generate;
  if (path === "/images/generations" || path === "/images/edits")
    return images(generate, content);
  if (path === "/audio/speech") return speech(generate, content);
  if (path === "/audio/transcriptions")
    return transcription(transcribe, content, "Write down what is said, and nothing else.");
  if (path === "/audio/translations")
    return transcription(transcribe, content, "Write down in English what is said.");
  return undefined;
}

function imagen(url: string, content: MediaContent): TranslatedRequest {
  const { prompt, n, size } = fieldsOf(content);
  const ratio = ratioOf(size);
  return {
    url,
    body: {
      instances: [{ prompt }],
      parameters: { sampleCount: Number(n ?? 1), ...(ratio && { aspectRatio: ratio }) },
    },
    toOpenAi(answer) {
      const made = isRecord(answer) ? answer["predictions"] : undefined;
      const data = (Array.isArray(made) ? made : []).filter(isRecord).flatMap((one) => {
        const bytes = one["bytesBase64Encoded"];
        return typeof bytes === "string" ? [{ b64_json: bytes }] : [];
      });
      return data.length > 0 ? { json: imagesOf(data) } : undefined;
    },
  };
}

function images(url: string, content: MediaContent): TranslatedRequest {
  const { prompt, size, n } = fieldsOf(content);
  const ratio = ratioOf(size);
  const files = "files" in content ? content.files : [];
  if (Number(n ?? 1) > 1) throw optionUnsupported("n");
  if (files.some(({ field }) => field === "mask")) throw optionUnsupported("mask");
  return {
    url,
    body: {
      contents: [{ role: "user", parts: [...files.map(toPart), { text: prompt }] }],
      generationConfig: {
        responseModalities: ["TEXT", "IMAGE"],
        ...(ratio && { imageConfig: { aspectRatio: ratio } }),
      },
    },
    toOpenAi(answer) {
      const data = partsOf(answer).flatMap(({ inlineData }) =>
        isRecord(inlineData) && typeof inlineData["data"] === "string"
          ? [{ b64_json: inlineData["data"] }]
          : [],
      );
      const usage = usageOf(answer);
      return data.length > 0
        ? { json: { ...imagesOf(data), ...(usage && { usage }) } }
        : undefined;
    },
  };
}

function speech(url: string, content: MediaContent): TranslatedRequest {
  const { input, voice } = fieldsOf(content);
  // OpenAI's default voice is none of Gemini's
  const voiceName = voice === undefined || voice === "alloy" ? "Kore" : voice;
  return {
    url,
    body: {
      contents: [{ role: "user", parts: [{ text: input }] }],
      generationConfig: {
        responseModalities: ["AUDIO"],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
      },
    },
    toOpenAi(answer) {
      const sound = partsOf(answer).find(({ inlineData }) => isRecord(inlineData));
      const { data, mimeType } = (sound?.["inlineData"] ?? {}) as Record<string, unknown>;
      if (typeof data !== "string") return undefined;
      const rate = Number(/rate=(\d+)/.exec(String(mimeType))?.[1] ?? DEFAULT_RATE);
      const bytes = Buffer.concat([wavHead(data, rate), Buffer.from(data, "base64")]);
      return { bytes: new Uint8Array(bytes), type: "audio/wav" };
    },
  };
}

function transcription(
  url: string,
  content: MediaContent,
  task: string,
): TranslatedRequest {
  const { language, prompt } = fieldsOf(content);
  const files = "files" in content ? content.files : [];
  const hints = [language && `The language is ${language}.`, prompt].filter(Boolean);
  return {
    url,
    body: {
      contents: [
        {
          role: "user",
          parts: [...files.map(toPart), { text: [task, ...hints].join(" ") }],
        },
      ],
    },
    toOpenAi(answer) {
      const texts = partsOf(answer).filter(({ text }) => typeof text === "string");
      if (texts.length === 0) return undefined;
      const usage = usageOf(answer);
      const text = texts
        .map((part) => String(part["text"]))
        .join("")
        .trim();
      return { json: { text, ...(usage && { usage }) } };
    },
    stream: transcriptStream,
  };
}

/** The pieces of a transcript. Source: Gemini API reference, streamGenerateContent. */
function transcriptStream() {
  let text = "";
  let usage: ReturnType<typeof usageOf>;
  let isEnded = false;
  return {
    next(event: unknown): object[] {
      usage = usageOf(event) ?? usage;
      isEnded ||= hasEnded(event);
      const delta = partsOf(event)
        .map((part) => (typeof part["text"] === "string" ? part["text"] : ""))
        .join("");
      text += delta;
      return delta === "" ? [] : [{ type: "transcript.text.delta", delta }];
    },
    // a stream without its end was cut
    end: (): object[] =>
      isEnded
        ? [{ type: "transcript.text.done", text: text.trim(), ...(usage && { usage }) }]
        : [],
  };
}

function hasEnded(event: unknown): boolean {
  const candidates = isRecord(event) ? event["candidates"] : undefined;
  if (!Array.isArray(candidates)) return false;
  return candidates.some((one) => isRecord(one) && typeof one["finishReason"] === "string");
}

const DEFAULT_RATE = 24_000;
const WAV_HEAD_BYTES = 44;

/** Of sound in one channel of 16 bits, as it comes without any head. */
function wavHead(data: string, rate: number): Buffer {
  const length = Buffer.byteLength(data, "base64");
  const head = Buffer.alloc(WAV_HEAD_BYTES);
  head.write("RIFF", 0);
  head.writeUInt32LE(WAV_HEAD_BYTES - 8 + length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(length, 40);
  return head;
}

function fieldsOf(content: MediaContent): Record<string, string | undefined> {
  const given = "json" in content ? content.json : content.fields;
  const texts = Object.entries(given).filter(([, value]) =>
    ["string", "number"].includes(typeof value),
  );
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

function toPart({ type, bytes }: MediaFile) {
  return { inlineData: { mimeType: type, data: Buffer.from(bytes).toString("base64") } };
}

function partsOf(answer: unknown): Record<string, unknown>[] {
  const candidates = isRecord(answer) ? answer["candidates"] : undefined;
  const all: unknown[] = Array.isArray(candidates) ? candidates : [];
  return all.filter(isRecord).flatMap(({ content }) => {
    const parts = isRecord(content) ? content["parts"] : undefined;
    // thoughts are no part of the answer
    return (Array.isArray(parts) ? parts : []).filter(
      (part): part is Record<string, unknown> => isRecord(part) && part["thought"] !== true,
    );
  });
}

function usageOf(answer: unknown) {
  const usage = isRecord(answer) ? answer["usageMetadata"] : undefined;
  if (!isRecord(usage)) return undefined;
  const { promptTokenCount: input, candidatesTokenCount: output } = usage;
  return { input_tokens: input, output_tokens: output };
}

function imagesOf(data: object[]) {
  return { created: Math.floor(Date.now() / 1_000), data };
}

const RATIOS: [ratio: string, value: number][] = [
  ["1:1", 1],
  ["4:3", 4 / 3],
  ["3:4", 3 / 4],
  ["16:9", 16 / 9],
  ["9:16", 9 / 16],
];

/** The nearest of those that all models know. */
function ratioOf(size: string | undefined): string | undefined {
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(size ?? "") ?? [];
  if (width === undefined || height === undefined) return undefined;
  const wanted = Math.log(Number(width) / Number(height));
  const far = (value: number) => Math.abs(Math.log(value) - wanted);
  const [best] = RATIOS.toSorted(([, one], [, other]) => far(one) - far(other));
  return best?.[0];
}
