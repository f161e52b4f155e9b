import { z } from "zod";
import { MAX_BODY_BYTES } from "../../../platform/http/route.ts";

/** As OpenAI's API names the first two; the others are Gemini's. */
const SOUND_FORMATS = ["wav", "mp3", "flac", "ogg", "aac", "aiff"] as const;
export type SoundFormat = (typeof SOUND_FORMATS)[number];

export function soundType(format: SoundFormat): string {
  return format === "mp3" ? "audio/mpeg" : `audio/${format}`;
}

/** A recording in a message. */
export const SoundPart = z.object({
  type: z.literal("input_audio"),
  input_audio: z.object({
    data: z.string().min(1).max(MAX_BODY_BYTES).describe("In base64"),
    format: z.enum(SOUND_FORMATS),
  }),
});
export type SoundPart = z.output<typeof SoundPart>;
