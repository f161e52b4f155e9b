import { expect, test } from "vitest";
import { z } from "zod";
import { providerKinds } from "../../../src/services/completion/contract-provider-kinds.ts";
import { fieldsOf } from "./schema-fields.ts";
import { deFieldTexts, nameField } from "./texts.ts";

test("every field of a provider has a German label, and its hint a German one", () => {
  const fields = Object.values(providerKinds).flatMap(({ config }) =>
    fieldsOf(z.toJSONSchema(config, { io: "input" })),
  );
  expect(fields.length).toBeGreaterThan(8);
  for (const field of fields) {
    expect(deFieldTexts.labels, field.name).toHaveProperty(field.name);
    const { hint } = nameField(field, deFieldTexts);
    const isAddress = field.hint?.startsWith("https://") ?? false;
    if (field.hint && !isAddress) expect(hint, field.hint).not.toBe(field.hint);
  }
});
