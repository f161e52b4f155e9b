import { BadGateway } from "../../../platform/http/errors.ts";

/** What a text is embedded as: some models tell a question from what is searched. */
export type InputType = "query" | "passage";

/** Makes vectors of texts. */
export interface EmbeddingModel {
  name: string;
  provider: string;
  dimensions: number;
  /** Texts that it takes at once. */
  maxBatchSize: number;
  /** Needs nothing outside of the process. */
  local: boolean;
  /** The entry of the catalogue by which it is asked. Absent: the environment names it. */
  availableModelId?: string;
  /** The address of its server. Absent: it needs none. */
  server?: string;
  /**
   * Unit vectors of `dimensions` numbers, in order; at most `maxBatchSize` texts.
   * @throws TextRefused when one of the texts is too long for it.
   * @throws BadGateway, GatewayTimeout, Unavailable, TooManyRequests: which of them may be tried
   * again is in `mayTryAgain`.
   */
  embed(
    texts: readonly string[],
    inputType: InputType,
    signal: AbortSignal,
  ): Promise<number[][]>;
}

/** A model that is stored, by which it is found again. */
export interface ModelReference {
  name: string;
  provider: string;
  dimensions: number;
  /** The entry of the catalogue by which it is asked; null: the environment names it. */
  availableModelId: string | null;
}

/** A text is too long for the model, or all of them are together. Others may be embedded. */
export class TextRefused extends BadGateway {}

/** Of length 1, as cosine needs it; of zeros nothing can be made. */
export function normalised(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
