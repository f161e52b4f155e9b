import { BadGateway } from "../../../platform/http/errors.ts";

/** Some models embed questions and passages in different ways. */
export type InputType = "query" | "passage";

/** Converts texts to vectors. */
export interface EmbeddingModel {
  name: string;
  provider: string;
  dimensions: number;
  /** The number of texts in one request. */
  maxBatchSize: number;
  /** Whether it runs in this process. */
  local: boolean;
  /** The entry of the catalogue that names it. Absent: the environment names it. */
  availableModelId?: string;
  /** The address of its server. Absent: it has none. */
  server?: string;
  /** Whether the catalogue has a price for it. */
  isPriced?: boolean;
  /**
   * Unit vectors of `dimensions` numbers, in order; at most `maxBatchSize` texts. `payer`: the user
   * whom it counts for; absent: nobody.
   * @throws TextRefused when one of the texts is too long for it.
   * @throws BadGateway, GatewayTimeout, Unavailable, TooManyRequests: which of them may be tried
   * again is in `mayTryAgain`.
   */
  embed(
    texts: readonly string[],
    inputType: InputType,
    signal: AbortSignal,
    payer?: string,
  ): Promise<number[][]>;
}

/** Identifies the model of stored vectors. */
export interface ModelReference {
  name: string;
  provider: string;
  dimensions: number;
  /** The entry of the catalogue that names it; null: the environment names it. */
  availableModelId: string | null;
}

/** A text is too long for the model, or all of them together are. Other texts may be accepted. */
export class TextRefused extends BadGateway {}

/**
 * Scales a vector to length 1, as cosine similarity needs it. A vector of zeros cannot be scaled.
 */
export function normalised(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
