import { ApiError } from "../../../platform/http/errors.ts";
import {
  type StoredFailure,
  toStoredFailure,
} from "../../../platform/http/reported-error.ts";
import {
  type EvaluatedQuestion,
  type EvaluationEvent,
  type EvaluationRequest,
  MAX_MISSED,
  type VariantFigures,
} from "../contract-evaluation.ts";
import { retrieve, type RetrieveDeps } from "../retrieve.ts";
import type { Scope } from "../scope.ts";
import { judgeResults, type Judgement } from "./judge-results.ts";

type Variant = EvaluationRequest["variants"][number];
type ScopeOf = (docIds: readonly string[] | undefined) => Promise<Scope>;

const MAX_WARNINGS = 10;

/**
 * Asks each question in each way and judges what is found. One search runs at a time, so that an
 * evaluation takes no more of the server than a user who searches without a pause.
 */
export async function* evaluate(
  deps: RetrieveDeps,
  { questions, variants, userId }: EvaluationRequest & { userId: string | undefined },
  scopeOf: ScopeOf,
  signal: AbortSignal,
): AsyncGenerator<EvaluationEvent[]> {
  const total = questions.length * variants.length;
  const figures: VariantFigures[] = [];
  let done = 0;
  try {
    for (const variant of variants) {
      const scope = await scopeOf(variant.docIds);
      const tally = createTally(variant.name);
      for (const question of questions) {
        signal.throwIfAborted();
        await measure(deps, { ...variant, userId }, question, scope, tally, signal);
        done += 1;
        yield [{ type: "progress", done, total }];
      }
      figures.push(tally.figures());
    }
    yield [{ type: "result", variants: figures }];
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError)) throw error;
    yield [{ type: "error", ...toStoredFailure(error) }];
  }
}

async function measure(
  deps: RetrieveDeps,
  variant: Variant & { userId: string | undefined },
  { query, expected }: EvaluatedQuestion,
  scope: Scope,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  const { name: _, ...way } = variant;
  const answer = await retrieve(deps, { ...way, query, window: 0 }, scope, signal);
  tally.add(query, {
    judgement: judgeResults(answer.results, expected),
    warnings: answer.pipeline.warnings,
    ms: performance.now() - startedAt,
  });
}

interface Measured {
  judgement: Judgement;
  warnings: readonly StoredFailure[];
  ms: number;
}

interface Tally {
  add(query: string, measured: Measured): void;
  figures(): VariantFigures;
}

function createTally(name: string): Tally {
  const all: Measured[] = [];
  const missed: string[] = [];
  const warnings = new Map<string, StoredFailure>();
  const mean = (valueOf: (judgement: Judgement) => number) =>
    all.reduce((sum, { judgement }) => sum + valueOf(judgement), 0) / all.length;
  return {
    add(query, measured) {
      all.push(measured);
      if (measured.judgement.recall === 0 && missed.length < MAX_MISSED) missed.push(query);
      for (const warning of measured.warnings)
        if (warnings.size < MAX_WARNINGS) warnings.set(warning.message, warning);
    },
    figures: () => ({
      name,
      questions: all.length,
      ndcgAt10: mean(({ ndcg }) => ndcg),
      recallAt10: mean(({ recall }) => recall),
      mrrAt10: mean(({ reciprocalRank }) => reciprocalRank),
      medianMs:
        all.map(({ ms }) => ms).toSorted((one, other) => one - other)[all.length >> 1] ?? 0,
      missed,
      warnings: [...warnings.values()],
    }),
  };
}
