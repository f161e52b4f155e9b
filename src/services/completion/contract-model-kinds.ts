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

/** Images that models see as they are. */
export const SEEN_IMAGES: readonly string[] = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
];
