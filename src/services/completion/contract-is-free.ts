import type { Pricing } from "./contract-catalogue.ts";

export interface Priced {
  pricing?: Pricing | null | undefined;
}

/** Without a price nothing counts towards budgets in money. */
export function isFree({ pricing }: Priced): boolean {
  if (!pricing) return true;
  return Object.values(pricing).every((price) => typeof price !== "number" || price === 0);
}
