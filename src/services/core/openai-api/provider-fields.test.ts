import { expect, test } from "vitest";
import { providerFields } from "./provider-fields.ts";

test("fields that are known to be harmless go to the provider, named ones elsewhere", () => {
  const request = { model: "m", top_k: 4, min_p: null };
  expect(providerFields(request, { model: {} })).toEqual({ top_k: 4 });
});

test.each(["constructor", "toString", "__proto__", "extra_body"])(
  "%s is refused, though every object has some of these names",
  (name) => {
    const request: Record<string, unknown> = JSON.parse(`{"${name}":"x"}`);
    expect(() => providerFields(request, { model: {} })).toThrow(
      expect.objectContaining({ code: "option_unsupported", params: { name } }),
    );
  },
);
