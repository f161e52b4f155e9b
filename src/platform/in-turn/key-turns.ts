import type { ApiError } from "../http/errors.ts";
import type { Rests } from "./rests.ts";

/**
 * The turns of a provider's keys within one request. They share the requests by chance; one that is
 * refused, or at its limit, rests, and the next is tried at once.
 */
export class KeyTurns {
  readonly #rests: Rests;
  readonly #provider: string;
  readonly #count: number;
  readonly #tried = new Set<number>();
  #at = 0;

  /** `count`: of the provider's keys. */
  constructor(rests: Rests, provider: string, count: number) {
    this.#rests = rests;
    this.#provider = provider;
    this.#count = count;
  }

  /** The place of the key to use now. */
  next(): number {
    this.#at = this.#choose();
    return this.#at;
  }

  answered(): void {
    this.#rests.answered(this.#id(this.#at));
  }

  /**
   * The key that was used is refused, or at its limit.
   * @returns whether another may be tried at once.
   */
  failed(failure: ApiError): boolean {
    this.#rests.failed(this.#id(this.#at), failure);
    this.#tried.add(this.#at);
    return this.#tried.size < this.#count;
  }

  /** One that was not tried yet, by chance, and rather one that does not rest. */
  #choose(): number {
    const all = Array.from({ length: this.#count }, (_, at) => at);
    const left = all.filter((at) => !this.#tried.has(at));
    const from = left.length > 0 ? left : all;
    const first = Math.floor(Math.random() * from.length);
    const inTurn = [...from.slice(first), ...from.slice(0, first)];
    const free = inTurn.find((at) => this.#rests.reasonOf(this.#id(at)) === undefined);
    return free ?? inTurn[0] ?? 0;
  }

  /** By its place: a change of the keys ends all rests. */
  #id(at: number): string {
    return `${this.#provider} ${at}`;
  }
}
