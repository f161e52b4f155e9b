import { expect, test } from "vitest";
import { z } from "zod";
import { parseConfig } from "./kind-config.ts";

const schema = z.object({
  baseUrl: z.string().default("https://a.example"),
  size: z.number(),
});

test("an unknown field is refused by a sentence that names it and those that there are", () => {
  expect(() => parseConfig(schema, { size: 1, baseURL: "https://b.example" })).toThrow(
    expect.objectContaining({
      code: "validation_failed",
      message:
        "The request is not valid: body.config.baseURL: is no field of this configuration: baseUrl, size.",
      details: [
        {
          path: "body.config.baseURL",
          message: "is no field of this configuration: baseUrl, size",
        },
      ],
    }),
  );
});

test("a field that an earlier version stored is dropped, where a form sends it back as it was", () => {
  const stored = { size: 1, old: { kept: true } };
  expect(parseConfig(schema, { ...stored, size: 2 }, stored)).toEqual({
    baseUrl: "https://a.example",
    size: 2,
  });
  expect(() => parseConfig(schema, { size: 2, old: "changed" }, stored)).toThrow(/old/);
});

test("a name of any length is cut in the answer", () => {
  expect(() => parseConfig(schema, { size: 1, ["x".repeat(5_000)]: 1 })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("x".repeat(101)) }),
  );
});
