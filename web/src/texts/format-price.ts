import { formatNumber } from "./format.ts";

interface Pricing {
  inputPerMillion: number;
  outputPerMillion: number;
  cachedInputPerMillion?: number | undefined;
  cacheWriteInputPerMillion?: number | undefined;
  perImage?: number | undefined;
  perMinute?: number | undefined;
  perMillionCharacters?: number | undefined;
  currency: string;
}

const MAX_FRACTION = 4;

interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Among the input. */
  cachedInputTokens?: number | undefined;
  /** Among the input. */
  cacheWriteInputTokens?: number | undefined;
}

/**
 * The price of a million input and output tokens, "€0.50 / €1.50"; of an image, a minute or a
 * million characters where a model is paid by these.
 */
export function formatPrice({
  inputPerMillion,
  outputPerMillion,
  perImage,
  perMinute,
  perMillionCharacters,
  currency,
}: Pricing): string {
  const unit = perImage ?? perMinute ?? perMillionCharacters;
  if (unit !== undefined && inputPerMillion + outputPerMillion === 0)
    return formatMoney(unit, currency);
  return [inputPerMillion, outputPerMillion]
    .map((one) => formatMoney(one, currency))
    .join(" / ");
}

/** What an answer costs at these prices: "€0.0023", "€1.20". */
export function formatCost(
  { inputTokens, outputTokens, cachedInputTokens, cacheWriteInputTokens }: Usage,
  pricing: Pricing,
): string {
  const { inputPerMillion, outputPerMillion, currency } = pricing;
  const cached = Math.min(cachedInputTokens ?? 0, inputTokens);
  const written = Math.min(cacheWriteInputTokens ?? 0, inputTokens - cached);
  const cost =
    (inputTokens - cached - written) * inputPerMillion +
    cached * (pricing.cachedInputPerMillion ?? inputPerMillion) +
    written * (pricing.cacheWriteInputPerMillion ?? inputPerMillion) +
    outputTokens * outputPerMillion;
  return formatMoney(cost / 1e6, currency, { maximumSignificantDigits: 2 });
}

/** The currency may be any three characters; only letters are a code. */
export function formatMoney(
  value: number,
  currency: string,
  digits: Intl.NumberFormatOptions = {
    minimumFractionDigits: 2,
    maximumFractionDigits: MAX_FRACTION,
  },
): string {
  if (!/^[A-Za-z]{3}$/.test(currency)) return `${formatNumber(value, digits)} ${currency}`;
  return formatNumber(value, { ...digits, style: "currency", currency });
}
