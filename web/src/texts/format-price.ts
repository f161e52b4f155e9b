import { formatNumber } from "./format.ts";

interface Pricing {
  inputPerMillion: number;
  outputPerMillion: number;
  currency: string;
}

const MAX_FRACTION = 4;

/** The price of a million input and output tokens: "€0.50 / €1.50". */
export function formatPrice({
  inputPerMillion,
  outputPerMillion,
  currency,
}: Pricing): string {
  return [inputPerMillion, outputPerMillion]
    .map((one) => formatMoney(one, currency))
    .join(" / ");
}

/** The currency may be any three characters; only letters are a code. */
function formatMoney(value: number, currency: string): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: MAX_FRACTION };
  if (!/^[A-Za-z]{3}$/.test(currency)) return `${formatNumber(value, digits)} ${currency}`;
  return formatNumber(value, { ...digits, style: "currency", currency });
}
