import { z } from "zod";
import { MODEL_KINDS } from "../contract-model-kinds.ts";

/** What a listed model is for. The catalogue does not use the last two kinds. */
const LISTED_KINDS = [...MODEL_KINDS, "rerank", "other"] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

const text = z.string().optional().catch(undefined);
const count = z.number().int().positive().optional().catch(undefined);

/** The fields by which servers tell what a model is; those of another type count as absent. */
export const ModelHints = z.object({
  // LM Studio, Together
  type: text,
  // LiteLLM
  mode: text,
  // llama.cpp, Ollama; Mistral
  capabilities: z
    .union([z.array(z.string()), z.object({ vision: z.boolean() })])
    .optional()
    .catch(undefined),
  // OpenRouter
  architecture: z
    .object({ input_modalities: z.array(z.string()) })
    .optional()
    .catch(undefined),
  // Ollama
  details: z.object({ family: text }).optional().catch(undefined),
  // vLLM, LM Studio, OpenRouter and Together, Groq
  max_model_len: count,
  max_context_length: count,
  context_length: count,
  context_window: count,
});
export type ModelHints = z.output<typeof ModelHints>;

const RERANKS = /rerank|cross-?encoder/i;
const EMBEDS = /embed|(^|[/_-])(bge|gte|e5|minilm|nomic-bert|bert)([/_:.-]|$)/i;
/** In this order: a name may fit several. */
const TASKS: [RegExp, ListedKind][] = [
  [/moderation/i, "moderation"],
  [/whisper|transcri|speech[_-]to[_-]text|(^|[/_-])asr([/_:.-]|$)/i, "transcription"],
  [/(^|[/_:-])tts([/_:.-]|$)|text[_-]to[_-]speech|audio_speech|kokoro/i, "speech"],
  [/dall-e|gpt-image|imagen|diffusion|image_generation|(^|[/_-])flux([/_:.-]|$)/i, "image"],
];
const NEITHER = /tts|speech|audio|image|sora|guard/i;

/** By the server's own fields where it has them, else by the model's name. */
export function kindOfModel(id: string, hints: ModelHints): ListedKind {
  const { type, mode, capabilities, details } = hints;
  const words = Array.isArray(capabilities) ? capabilities : [];
  const stated = [type, mode, ...words].filter((word) => word !== undefined);
  if (stated.some((word) => /^(llm|vlm|chat|completion|language)$/i.test(word)))
    return "completion";
  const said =
    stated.length > 0 ? stated.join(" ") : `${details?.family ?? ""} ${id}`.trim();
  if (RERANKS.test(said) || RERANKS.test(id)) return "rerank";
  if (EMBEDS.test(said)) return "embedding";
  const task = TASKS.find(([pattern]) => pattern.test(said));
  if (task) return task[1];
  if (NEITHER.test(said)) return "other";
  return "completion";
}

/** In tokens, where the server says it. */
export function contextWindowOf(hints: ModelHints): number | undefined {
  const { max_model_len, max_context_length, context_length, context_window } = hints;
  return max_model_len ?? max_context_length ?? context_length ?? context_window;
}

/** Whether it reads images; undefined where the server does not say. */
export function visionOf(hints: ModelHints): boolean | undefined {
  const { type, capabilities, architecture } = hints;
  if (Array.isArray(capabilities))
    return capabilities.some((word) => /^(vision|multimodal|image)$/i.test(word));
  if (capabilities) return capabilities.vision;
  if (architecture) return architecture.input_modalities.includes("image");
  // LM Studio
  if (type === "vlm") return true;
  return type === "llm" ? false : undefined;
}
