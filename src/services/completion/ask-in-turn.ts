import { ApiError } from "../../platform/http/errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { judgeByLabels } from "../users/contract-judge-labels.ts";
import type { Catalogue, Target } from "./catalogue.ts";
import type { AnsweredBy, CompletionRequest, UsageContext } from "./contract.ts";
import { isReplaced, LOAD_SHARED } from "./contract-load-shared.ts";
import { meaningOf } from "./failure-meanings.ts";
import type { LoadSharing } from "./load-sharing.ts";
import { isWorthRepeating } from "./provider-failures.ts";
import { takesFiles } from "./refuse-files.ts";
import type { Rests } from "./rests.ts";
import { estimateInput } from "./usage-meter.ts";

export interface TurnDeps {
  catalogue: Catalogue;
  rests: Rests;
  loads: LoadSharing;
  /** The fallbacks of a model that may answer now for whom the request is, in their order. */
  findFallbacks: (model: string, context: UsageContext) => Promise<string[]>;
  /** A model has answered in the place of another. */
  onReplaced: (by: AnsweredBy) => void;
  log: Logger;
}

/** How one model of several is asked. */
export interface Turn {
  /** Set where it answers in the place of another. */
  answeredBy?: AnsweredBy | undefined;
  /** Whether another may be asked after it. */
  hasNext: boolean;
}

/** @returns why the model could not begin. Once it has begun, its failures are thrown. */
type Ask = (target: Target, turn: Turn) => Promise<ApiError | undefined>;

/**
 * Asks a model and, where it fails before its first token, its fallbacks in turn: those that the
 * user may use within their budgets, that the labels let read the request, and that can take it. A
 * model that failed lately is asked last. Endpoints of one model that share its load are one of
 * them in turn the first.
 * @throws ApiError of the model that was asked, when none answers.
 */
export async function askInTurn(
  deps: TurnDeps,
  request: CompletionRequest,
  asked: Target,
  ask: Ask,
): Promise<void> {
  const counted: Ask = (target, turn) =>
    deps.loads.during(target.id, () => ask(target, turn));
  const failure =
    asked.fallbacks.length === 0
      ? await counted(asked, { hasNext: false })
      : await new Turns(deps, request, asked, counted).run();
  if (failure) throw failure;
}

class Turns {
  readonly #deps: TurnDeps;
  readonly #request: CompletionRequest;
  readonly #asked: Target;
  readonly #ask: Ask;
  /** Of the model that was asked, else of the first that was. */
  #failure: ApiError | undefined;
  #because = "";

  constructor(deps: TurnDeps, request: CompletionRequest, asked: Target, ask: Ask) {
    this.#deps = deps;
    this.#request = request;
    this.#asked = asked;
    this.#ask = ask;
  }

  async run(): Promise<ApiError | undefined> {
    if (this.#asked.loadSharing)
      return this.#askAll(this.#spread(await this.#findOthers()));
    const { rests } = this.#deps;
    this.#because = rests.reasonOf(this.#asked.id) ?? "";
    const isResting = this.#because !== "";
    if (!isResting && (await this.#try(this.#asked, true))) return undefined;
    const others = await this.#findOthers();
    const isLast = isResting || this.#isWorthRepeating(others);
    return this.#askAll(others, isLast ? [this.#asked] : []);
  }

  /** The endpoints of the model that share its load, and behind them its other fallbacks. */
  #spread(others: readonly Target[]): Target[] {
    const asked = this.#asked;
    const endpoints = [asked, ...others.filter((one) => this.#isSameModel(one))];
    const rest = others.filter((one) => !this.#isSameModel(one));
    return [...this.#deps.loads.order(asked, endpoints, this.#request), ...rest];
  }

  #isSameModel({ id }: Target): boolean {
    return this.#asked.loadSharing?.with.some((one) => one.id === id) ?? false;
  }

  /** @returns undefined where one has answered. */
  async #askAll(
    targets: readonly Target[],
    last: Target[] = [],
  ): Promise<ApiError | undefined> {
    for (const [at, target] of targets.entries()) {
      const reason = this.#deps.rests.reasonOf(target.id);
      if (reason !== undefined) {
        if (target === this.#asked) this.#because = reason;
        last.push(target);
      } else if (await this.#try(target, at < targets.length - 1 || last.length > 0))
        return undefined;
    }
    // one that rests is better than no answer
    for (const [at, target] of last.entries())
      if (await this.#try(target, at < last.length - 1)) return undefined;
    return this.#failure;
  }

  /** Where nobody else may answer, the model is asked again as it would be without fallbacks. */
  #isWorthRepeating(others: readonly Target[]): boolean {
    const failure = this.#failure;
    return others.length === 0 && isWorthRepeating(failure);
  }

  /** @returns whether it has answered. */
  async #try(target: Target, hasNext: boolean): Promise<boolean> {
    const { rests, loads, onReplaced } = this.#deps;
    const isAsked = target === this.#asked;
    const answeredBy = isAsked ? undefined : this.#toAnsweredBy(target);
    const failure = await this.#ask(target, { answeredBy, hasNext });
    if (!failure) {
      rests.answered(target.id);
      loads.answered(this.#asked, target, this.#request);
      if (answeredBy && isReplaced(answeredBy)) onReplaced(answeredBy);
      return true;
    }
    rests.failed(target.id, failure);
    if (isAsked) this.#because = failure.code;
    if (isAsked || !this.#failure) this.#failure = failure;
    return false;
  }

  #toAnsweredBy(target: Target): AnsweredBy {
    const { id: model, name } = target;
    const code = this.#isSameModel(target) ? LOAD_SHARED : this.#because;
    return { model, name, insteadOf: this.#asked.id, code };
  }

  async #findOthers(): Promise<Target[]> {
    const { catalogue, findFallbacks, log } = this.#deps;
    const { id } = this.#asked;
    const ids = await findFallbacks(id, this.#request.context ?? {}).catch(
      (error: unknown) => {
        log.warn({ err: error, model: id }, "the fallbacks of a model cannot be read");
        return [];
      },
    );
    const found = await Promise.all(
      // one that was disabled or deleted since answers no more
      ids.map((one) => catalogue.resolve(one).catch(() => undefined)),
    );
    return found
      .filter((target) => target !== undefined)
      .filter((target) => suits(this.#request, target));
  }
}

/** Whether a model can take the request, and may by the labels of what the request holds. */
function suits(request: CompletionRequest, target: Target): boolean {
  const { labels = [], tools = [], messages } = request;
  const reads = { kind: "provider", provider: target.provider.name } as const;
  if (judgeByLabels(labels, reads).label) return false;
  if (tools.length > 0 && !target.callsTools) return false;
  if (!target.sees && messages.some(hasImage)) return false;
  if (!takesFiles(request, target)) return false;
  const { contextWindow } = target;
  return contextWindow === undefined || estimateInput(messages) <= contextWindow;
}

function hasImage({ content }: CompletionRequest["messages"][number]): boolean {
  return typeof content !== "string" && content.some(({ type }) => type === "image");
}

/** Whether another model may answer after this failure, which came before the first token. */
export function mayBeReplaced(error: unknown, { answeredBy }: Turn): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { replaced } = meaningOf(error);
  return replaced === "always" || (replaced !== undefined && answeredBy !== undefined);
}
