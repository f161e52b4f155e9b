import { numberIn } from "../shell/search-params.ts";
import { formatNumber } from "../texts/format.ts";
import { formatMoney } from "../texts/format-price.ts";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import type { usageContract } from "../../../src/services/core/usage/contract.ts";

export const DAYS = [7, 30, 90] as const;
export const GROUPS = ["model", "agent", "user"] as const;
export const MEASURES = ["tokens", "cost", "requests", "images", "minutes"] as const;

const SECONDS_PER_MINUTE = 60;

export type Sum = RouteOk<typeof usageContract.usage>["items"][number];
export type Group = (typeof GROUPS)[number];
export type Measure = (typeof MEASURES)[number];

/** What is shown, as in the address. Missing values mean the default. */
export interface Report {
  days?: (typeof DAYS)[number];
  by?: Group;
  measure?: Measure;
  /** The one model, agent or user whose days are shown. */
  only?: string;
}

export function readReport({ days, by, measure, only }: Record<string, unknown>): Report {
  const wanted = {
    days: find(DAYS, numberIn(days)),
    by: find(GROUPS, by),
    measure: find(MEASURES, measure),
  };
  return {
    ...(wanted.days !== undefined && { days: wanted.days }),
    ...(wanted.by !== undefined && { by: wanted.by }),
    ...(wanted.measure !== undefined && { measure: wanted.measure }),
    ...(typeof only === "string" && { only }),
  };
}

function find<Value>(values: readonly Value[], wanted: unknown): Value | undefined {
  return values.find((value) => value === wanted);
}

export function measureOf(sum: Sum, measure: Measure): number {
  switch (measure) {
    case "tokens":
      return sum.inputTokens + sum.outputTokens;
    case "cost":
      return sum.cost ?? 0;
    case "requests":
      return sum.requests;
    case "images":
      return sum.images;
    case "minutes":
      return sum.seconds / SECONDS_PER_MINUTE;
  }
}

/** What few models are used for: a table has columns for what is in it. */
const RARE_MEASURES = ["images", "minutes"] as const;

export function rareMeasures(sums: readonly Sum[]): (typeof RARE_MEASURES)[number][] {
  return RARE_MEASURES.filter((measure) => sums.some((sum) => measureOf(sum, measure) > 0));
}

/** What of the input came from the caches of providers, and what went into them. */
const CACHE_PARTS = ["cachedInputTokens", "cacheWriteInputTokens"] as const;

export function cacheParts(sums: readonly Sum[]): (typeof CACHE_PARTS)[number][] {
  return CACHE_PARTS.filter((part) => sums.some((sum) => sum[part] > 0));
}

/** A number of tokens, answers, images or minutes, or an amount of money. */
export function formatMeasure(
  value: number,
  measure: Measure,
  currency: string | null = null,
): string {
  if (measure === "minutes") return formatNumber(value, { maximumFractionDigits: 1 });
  if (measure !== "cost") return formatNumber(value);
  return formatSpending(value, currency);
}

/** Small amounts with more digits. Without a currency it is the number. */
export function formatSpending(value: number, currency: string | null): string {
  const digits = value !== 0 && value < 0.1 ? 4 : 2;
  const options = { minimumFractionDigits: 2, maximumFractionDigits: digits };
  return currency ? formatMoney(value, currency, options) : formatNumber(value, options);
}
