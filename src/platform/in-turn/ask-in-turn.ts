import type { ApiError } from "../http/errors.ts";
import type { Candidate, FailureMeaning, Replacement } from "./candidate.ts";
import type { LoadSharing } from "./load-sharing.ts";
import type { Rests } from "./rests.ts";

export interface TurnDeps {
  rests: Rests;
  loads: LoadSharing;
  /** How long all that are asked in turn have together, until one of them begins to answer. */
  chainTimeoutMs: number;
  /** Another has answered than the one that was asked. */
  onReplaced: (by: Replacement) => void;
  /** Whether the same one should be asked again at once, where nobody else may answer. */
  isWorthRepeating: (failure: ApiError | undefined) => boolean;
}

/** Who may answer a request. */
export interface Choice<One extends Candidate> {
  asked: One;
  /** Those that may answer it in the place of `asked`, in their order. */
  findOthers: () => Promise<One[]>;
  /** What the requests of one conversation have in common, which stays where it began. */
  key: string | undefined;
}

/** How one of several is asked. */
export interface Turn {
  /** Set where it answers in the place of another. */
  answeredBy?: Replacement | undefined;
  /** Whether another may be asked after it. */
  hasNext: boolean;
  /**
   * How long it may take until it begins to answer, and what is left then for those behind it.
   * Infinite where nobody else may answer.
   */
  leftMs: () => number;
}

/** @returns why it could not begin. Once it has begun, its failures are thrown. */
type Ask<One> = (one: One, turn: Turn) => Promise<ApiError | undefined>;

/** Whether another may answer after this failure, which came before the first token. */
export function mayBeReplaced(
  { replaced }: FailureMeaning,
  { answeredBy }: Pick<Turn, "answeredBy">,
): boolean {
  return replaced === "always" || (replaced !== undefined && answeredBy !== undefined);
}

/**
 * Asks a model and, where it fails before its first token, those in turn that may answer in its
 * place, until their common time is over. One that failed lately is asked last. Endpoints of one
 * model that share its load are one of them in turn the first.
 * @throws ApiError of the one that was asked, when none answers.
 */
export async function askInTurn<One extends Candidate>(
  deps: TurnDeps,
  choice: Choice<One>,
  ask: Ask<One>,
): Promise<void> {
  const counted: Ask<One> = (one, turn) => deps.loads.during(one.id, () => ask(one, turn));
  const { asked } = choice;
  const failure =
    asked.fallbacks.length === 0
      ? await counted(asked, { hasNext: false, leftMs: () => Infinity })
      : await new Turns(deps, choice, counted).run();
  if (failure) throw failure;
}

class Turns<One extends Candidate> {
  readonly #deps: TurnDeps;
  readonly #choice: Choice<One>;
  readonly #asked: One;
  readonly #ask: Ask<One>;
  readonly #until: number;
  /** Of the one that was asked, else of the first that was. */
  #failure: ApiError | undefined;
  #because = "";

  constructor(deps: TurnDeps, choice: Choice<One>, ask: Ask<One>) {
    this.#deps = deps;
    this.#choice = choice;
    this.#asked = choice.asked;
    this.#ask = ask;
    this.#until = performance.now() + deps.chainTimeoutMs;
  }

  async run(): Promise<ApiError | undefined> {
    const { findOthers } = this.#choice;
    if (this.#asked.loadSharing) return this.#askAll(this.#spread(await findOthers()));
    const { rests } = this.#deps;
    this.#because = rests.reasonOf(this.#asked.id) ?? "";
    const isResting = this.#because !== "";
    if (!isResting && (await this.#try(this.#asked, true))) return undefined;
    const others = await findOthers();
    const isLast = isResting || this.#isWorthRepeating(others);
    return this.#askAll(others, isLast ? [this.#asked] : []);
  }

  /** The endpoints of the model that share its load, and behind them its other fallbacks. */
  #spread(others: readonly One[]): One[] {
    const asked = this.#asked;
    const endpoints = [asked, ...others.filter((one) => this.#isSameModel(one))];
    const rest = others.filter((one) => !this.#isSameModel(one));
    return [...this.#deps.loads.order(asked, endpoints, this.#choice.key), ...rest];
  }

  #isSameModel({ id }: One): boolean {
    return this.#asked.loadSharing?.with.some((one) => one.id === id) ?? false;
  }

  /** @returns undefined where one has answered. */
  async #askAll(
    candidates: readonly One[],
    last: One[] = [],
  ): Promise<ApiError | undefined> {
    for (const [at, one] of candidates.entries()) {
      if (this.#isOver()) return this.#failure;
      const reason = this.#deps.rests.reasonOf(one.id);
      if (reason !== undefined) {
        if (one === this.#asked) this.#because = reason;
        last.push(one);
      } else if (await this.#try(one, at < candidates.length - 1 || last.length > 0))
        return undefined;
    }
    // one that rests is better than no answer
    for (const [at, one] of last.entries()) {
      if (this.#isOver()) return this.#failure;
      if (await this.#try(one, at < last.length - 1)) return undefined;
    }
    return this.#failure;
  }

  /** Whoever is asked first may begin in any case, so that there is an answer or its failure. */
  #isOver(): boolean {
    return this.#failure !== undefined && this.#leftMs() === 0;
  }

  #leftMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Where nobody else may answer, it is asked again as it would be without fallbacks. */
  #isWorthRepeating(others: readonly One[]): boolean {
    return others.length === 0 && this.#deps.isWorthRepeating(this.#failure);
  }

  /** @returns whether it has answered. */
  async #try(one: One, hasNext: boolean): Promise<boolean> {
    const { rests, loads, onReplaced } = this.#deps;
    const isAsked = one === this.#asked;
    const answeredBy = isAsked ? undefined : this.#toReplacement(one);
    const leftMs = () => this.#leftMs();
    const failure = await this.#ask(one, { answeredBy, hasNext, leftMs });
    if (!failure) {
      rests.answered(one.id);
      loads.answered(this.#asked, one, this.#choice.key);
      if (answeredBy?.code !== undefined) onReplaced(answeredBy);
      return true;
    }
    rests.failed(one.id, failure);
    if (isAsked) this.#because = failure.code;
    if (isAsked || !this.#failure) this.#failure = failure;
    return false;
  }

  #toReplacement(one: One): Replacement {
    const replacement = { model: one.id, name: one.name, insteadOf: this.#asked.id };
    return this.#isSameModel(one) ? replacement : { ...replacement, code: this.#because };
  }
}
