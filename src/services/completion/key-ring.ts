import { ApiError } from "../../platform/http/errors.ts";
import { KeyTurns } from "../../platform/in-turn/key-turns.ts";
import type { Rests } from "../../platform/in-turn/rests.ts";
import type { ProviderEntry } from "./contract-catalogue.ts";
import { meaningOf } from "./failure-meanings.ts";
import { keysOf } from "./providers/split-keys.ts";

/** The keys of a provider for one reply, in turn. */
export class KeyRing {
  readonly #config: ProviderEntry["config"];
  readonly #keys: string[];
  readonly #turns: KeyTurns;

  constructor(rests: Rests, { name, config }: ProviderEntry) {
    this.#config = config;
    this.#keys = keysOf(config);
    this.#turns = new KeyTurns(rests, name, this.#keys.length);
  }

  /** The provider's config with the key to use now. */
  next(): Record<string, unknown> {
    if (this.#keys.length === 0) return this.#config;
    return { ...this.#config, apiKey: this.#keys[this.#turns.next()] };
  }

  answered(): void {
    if (this.#keys.length > 0) this.#turns.answered();
  }

  /** @returns whether another key may be tried at once. */
  failed(error: unknown): boolean {
    if (this.#keys.length === 0 || !(error instanceof ApiError)) return false;
    return meaningOf(error).isOfKey === true && this.#turns.failed(error);
  }
}
