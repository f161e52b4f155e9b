/** As OpenAI's API names the first two; the others are Gemini's. */
export const SOUND_FORMATS = ["wav", "mp3", "flac", "ogg", "aac", "aiff"] as const;
export type SoundFormat = (typeof SOUND_FORMATS)[number];

export function soundType(format: SoundFormat): string {
  return format === "mp3" ? "audio/mpeg" : `audio/${format}`;
}
