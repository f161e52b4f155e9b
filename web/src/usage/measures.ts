import { formatNumber } from "../texts/format.ts";
import type { Sum } from "./queries.ts";
import type { Measure } from "./report.ts";

export function measureOf(sum: Sum, measure: Measure): number {
  if (measure === "tokens") return sum.inputTokens + sum.outputTokens;
  return measure === "cost" ? (sum.cost ?? 0) : sum.requests;
}

/** A number of tokens or answers, or an amount of money. */
export function formatMeasure(
  value: number,
  measure: Measure,
  currency: string | null = null,
): string {
  if (measure !== "cost") return formatNumber(value);
  return formatMoney(value, currency);
}

export function formatMoney(value: number, currency: string | null): string {
  const digits = value !== 0 && value < 0.1 ? 4 : 2;
  const options = { minimumFractionDigits: 2, maximumFractionDigits: digits };
  // a currency that is no code of ISO 4217 would be refused
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) {
    return [formatNumber(value, options), currency].filter(Boolean).join(" ");
  }
  return formatNumber(value, { style: "currency", currency, ...options });
}
