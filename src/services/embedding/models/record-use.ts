import { uuidv7 } from "uuidv7";
import { estimateTokens } from "../../../platform/estimate-tokens.ts";
import type { EmbeddingUse } from "../../completion/contract.ts";
import { countCharacters } from "./local-model.ts";

/** Takes what a request used; nobody waits for it. */
export type RecordUse = (use: EmbeddingUse) => void;

interface Asking {
  /** The provider's name in reports. */
  provider: string;
  /** In the catalogue, whose price holds; absent for a server of the environment. */
  catalogueName?: string;
  model: string;
  payer: string | undefined;
  record?: RecordUse;
}

type RecordEnd = (finishReason: EmbeddingUse["finishReason"], tokens?: unknown) => void;

/**
 * Begins a request to a model's server. @returns what records its end: by the tokens that the
 * server counted, or an estimate where it counts none.
 */
export function startUse(asking: Asking, texts: readonly string[]): RecordEnd {
  const { provider, catalogueName = provider, model, payer, record } = asking;
  const startedAt = performance.now();
  return (finishReason, tokens) => {
    const counted = toCount(tokens);
    record?.({
      id: uuidv7(),
      provider: catalogueName,
      model,
      ...(payer !== undefined && { userId: payer }),
      inputTokens: counted ?? estimateTokens(countCharacters(texts)),
      estimated: counted === undefined,
      durationMs: Math.round(performance.now() - startedAt),
      finishReason,
      createdAt: new Date().toISOString(),
    });
  };
}

const MAX_TOKENS = 2 ** 31 - 1;

/** A count that is missing or impossible must not make a request free. */
function toCount(tokens: unknown): number | undefined {
  const isCount = typeof tokens === "number" && Number.isInteger(tokens);
  return isCount && tokens > 0 && tokens <= MAX_TOKENS ? tokens : undefined;
}
