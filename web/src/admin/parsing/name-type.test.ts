import { expect, test } from "vitest";
import { READABLE_TYPES } from "../../../../src/services/parser/contract.ts";
import { nameType } from "./name-type.ts";

test("every format that can be read has a short name of its own", () => {
  const names = READABLE_TYPES.map(nameType);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9]{2,8}$/);
});
