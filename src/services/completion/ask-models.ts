import { ApiError } from "../../platform/http/errors.ts";
import {
  askInTurn,
  mayBeReplaced as mayBeReplacedBy,
  type Turn,
} from "../../platform/in-turn/ask-in-turn.ts";
import type { Replacement } from "../../platform/in-turn/candidate.ts";
import type { LoadSharing } from "../../platform/in-turn/load-sharing.ts";
import type { Rests } from "../../platform/in-turn/rests.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type CarriedLabel, judgeByLabels } from "../users/contract-judge-labels.ts";
import type { Catalogue, Target } from "./catalogue.ts";
import { LOAD_SHARED } from "./contract-load-shared.ts";
import type { ModelKind } from "./contract-model-kinds.ts";
import type { AnsweredBy, UsageContext } from "./contract.ts";
import { meaningOf } from "./failure-meanings.ts";
import { isWorthRepeating, timeoutFailure } from "./provider-failures.ts";

export interface ModelTurnDeps {
  catalogue: Catalogue;
  rests: Rests;
  /** Of the keys of providers that have several. */
  keyRests: Rests;
  loads: LoadSharing;
  /** The fallbacks of a model that may answer now for whom the request is, in their order. */
  findFallbacks: (model: string, context: UsageContext) => Promise<string[]>;
  /** How long a model that others can replace may send nothing before its first token. */
  fallbackAfterMs: number;
  /** How long all models that are asked in turn have together until a first token. */
  chainTimeoutMs: number;
  /** A model has answered in the place of another. */
  onReplaced: (by: AnsweredBy) => void;
  log: Logger;
}

/** What one of several models is to answer, of whichever kind. */
export interface Matter {
  kind: ModelKind;
  context: UsageContext;
  labels: readonly CarriedLabel[] | undefined;
  /** What the requests of one conversation have in common; absent: it belongs to none. */
  key?: string;
  /** Whether a model in the place of the one that was asked can take it. */
  suits: (target: Target) => boolean;
}

/** How one model of several is asked. */
export interface ModelTurn extends Pick<Turn, "hasNext" | "leftMs"> {
  /** Set where it answers in the place of another. */
  answeredBy?: AnsweredBy | undefined;
}

/** @returns why the model could not begin. Once it has begun, its failures are thrown. */
type Ask = (target: Target, turn: ModelTurn) => Promise<ApiError | undefined>;

/**
 * Asks a model and, where it fails before its first token, its fallbacks in turn: those that the
 * user may use within their budgets, that the labels let read the request, and that can take it.
 * @throws ApiError of the model that was asked, when none answers.
 */
export async function askModels(
  deps: ModelTurnDeps,
  matter: Matter,
  asked: Target,
  ask: Ask,
): Promise<void> {
  const { rests, loads, chainTimeoutMs, onReplaced } = deps;
  await askInTurn(
    {
      rests,
      loads,
      chainTimeoutMs,
      isWorthRepeating,
      onReplaced: (by) => onReplaced(toAnsweredBy(by)),
    },
    { asked, key: matter.key, findOthers: () => findOthers(deps, matter, asked) },
    (target, { answeredBy: by, ...turn }) =>
      ask(target, { ...turn, ...(by && { answeredBy: toAnsweredBy(by) }) }),
  );
}

function toAnsweredBy({ code = LOAD_SHARED, ...by }: Replacement): AnsweredBy {
  return { ...by, code };
}

async function findOthers(
  { catalogue, findFallbacks, log }: ModelTurnDeps,
  { kind, context, labels = [], suits }: Matter,
  { id }: Target,
): Promise<Target[]> {
  const ids = await findFallbacks(id, context).catch((error: unknown) => {
    log.warn({ err: error, model: id }, "the fallbacks of a model cannot be read");
    return [];
  });
  const found = await Promise.all(
    // one that was disabled or deleted since answers no more
    ids.map((one) => catalogue.resolve(one, kind).catch(() => undefined)),
  );
  const mayRead = ({ provider: { name } }: Target) =>
    !judgeByLabels(labels, { kind: "provider", provider: name }).label;
  return found.filter(
    (target) => target !== undefined && mayRead(target) && suits(target),
  ) as Target[];
}

/** Whether another model may answer after this failure, which came before the first token. */
export function mayBeReplaced(error: unknown, turn: Partial<ModelTurn>): error is ApiError {
  return error instanceof ApiError && mayBeReplacedBy(meaningOf(error), turn);
}

/**
 * How long a model may send nothing before its first token: less where another can replace it.
 * Undefined for one that nobody replaces.
 */
export function patienceMs(
  { fallbackAfterMs }: ModelTurnDeps,
  { hasNext, leftMs }: ModelTurn,
): number | undefined {
  const left = leftMs();
  if (left === Infinity) return undefined;
  return hasNext ? Math.min(fallbackAfterMs, left) : left;
}

/** The failure of a model that sent nothing for so long; in whole seconds, where they are some. */
export function impatientFailure(waitedMs: number): ApiError {
  return timeoutFailure(waitedMs > 1_000 ? Math.round(waitedMs / 1_000) * 1_000 : waitedMs);
}
