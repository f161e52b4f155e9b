import { ApiError } from "../../platform/http/errors.ts";
import type { ProviderEntry } from "./contract-catalogue.ts";
import { meaningOf } from "./failure-meanings.ts";
import { keysOf } from "./providers/split-keys.ts";
import type { Rests } from "../../platform/in-turn/rests.ts";

/**
 * The keys of a provider for one reply. Several share the requests by chance; one that is refused,
 * or at its limit, rests, and the next is tried at once.
 */
export class KeyRing {
  readonly #rests: Rests;
  readonly #provider: ProviderEntry;
  readonly #keys: string[];
  readonly #tried = new Set<number>();
  #at = 0;

  constructor(rests: Rests, provider: ProviderEntry) {
    this.#rests = rests;
    this.#provider = provider;
    this.#keys = keysOf(provider.config);
  }

  /** The provider's config with the key to use now. */
  next(): Record<string, unknown> {
    const { config } = this.#provider;
    if (this.#keys.length === 0) return config;
    this.#at = this.#choose();
    return { ...config, apiKey: this.#keys[this.#at] };
  }

  answered(): void {
    if (this.#keys.length > 0) this.#rests.answered(this.#id(this.#at));
  }

  /** @returns whether another key may be tried at once. */
  failed(error: unknown): boolean {
    if (this.#keys.length === 0 || !(error instanceof ApiError)) return false;
    if (!meaningOf(error).isOfKey) return false;
    this.#rests.failed(this.#id(this.#at), error);
    this.#tried.add(this.#at);
    return this.#tried.size < this.#keys.length;
  }

  /** One that was not tried yet, by chance, and rather one that does not rest. */
  #choose(): number {
    const all = this.#keys.map((_, at) => at);
    const left = all.filter((at) => !this.#tried.has(at));
    const from = left.length > 0 ? left : all;
    const first = Math.floor(Math.random() * from.length);
    const inTurn = [...from.slice(first), ...from.slice(0, first)];
    const free = inTurn.find((at) => this.#rests.reasonOf(this.#id(at)) === undefined);
    return free ?? inTurn[0] ?? 0;
  }

  /** By its place: a change of the keys ends all rests. */
  #id(at: number): string {
    return `${this.#provider.name} ${at}`;
  }
}
