import { z } from "zod";
import { bytes, days, duration, httpUrl, list } from "../../platform/config/schemas.ts";

const BACKOFF_MS = 2_000;

export const automationsConfig = z.object({
  AUTOMATION_MEDIA_MAX_BYTES: bytes()
    .default(500 * 2 ** 20)
    .describe("Largest medium that automations accept, in bytes"),
  AUTOMATION_HOOK_MAX_BYTES: bytes()
    .default(25 * 2 ** 20)
    .describe("Largest body that a webhook of automations accepts, in bytes"),
  AUTOMATION_FOLDERS: list()
    .default([])
    .describe(
      "Folders of the server, comma-separated, inside which administrators may watch folders",
    ),
  AUTOMATION_AGENTS_AT_ONCE: z.coerce
    .number("must be a whole number")
    .int()
    .min(1)
    .max(200)
    .default(16)
    .describe(
      "Agents of automations that this process runs at once; one user has at most half of them",
    ),
  AUTOMATION_RUN_RETENTION: days(90).describe(
    "Days to keep runs that have ended; their conversations stay",
  ),
  AUTOMATION_CAPTION_MODEL: z
    .string()
    .optional()
    .describe("Model that describes images; default: the first enabled model with vision"),
  TRANSCRIPTION_URL: httpUrl()
    .optional()
    .describe(
      "Base URL of a Whisper-compatible endpoint, without /v1/audio/transcriptions; " +
        "when unset, audio and video cannot be read",
    ),
  TRANSCRIPTION_API_KEY: z
    .string()
    .min(1)
    .optional()
    .meta({ secret: true })
    .describe("Key of the transcription endpoint"),
  TRANSCRIPTION_MODEL: z.string().default("whisper-1").describe("Model that transcribes"),
  TRANSCRIPTION_TIMEOUT: duration()
    .default(30 * 60_000)
    .describe("Time limit of one transcription, in ms"),
  AUTOMATION_RETRY_WAIT: duration()
    .default(BACKOFF_MS)
    .describe("Delay before an agent that failed runs again, in ms; doubles each time"),
});

export type AutomationsConfig = z.output<typeof automationsConfig>;
