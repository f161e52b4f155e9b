import { expect, test } from "vitest";
import { formatPrice } from "./format-price.ts";

test("prices are written in their currency, small ones in full", () => {
  const pricing = { inputPerMillion: 0.5, outputPerMillion: 0.0125, currency: "EUR" };
  expect(formatPrice(pricing)).toBe("€0.50 / €0.0125");
});

test("what is no code of a currency is written behind the number", () => {
  const pricing = { inputPerMillion: 1, outputPerMillion: 2, currency: "<b>" };
  expect(formatPrice(pricing)).toBe("1.00 <b> / 2.00 <b>");
});
