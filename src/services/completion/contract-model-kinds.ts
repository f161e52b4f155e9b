/** What a model is for: it answers, embeds texts, or does one of the other tasks. */
export const MODEL_KINDS = [
  "completion",
  "embedding",
  "image",
  "speech",
  "transcription",
  "moderation",
] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];
