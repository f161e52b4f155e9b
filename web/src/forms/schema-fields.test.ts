import { expect, test } from "vitest";
import { defaultsOf, fieldsOf, givenValues } from "./schema-fields.ts";

const SCHEMA = {
  type: "object",
  properties: {
    baseUrl: { type: "string", format: "uri", description: "Where it is" },
    apiKey: { type: "string", format: "password", writeOnly: true, description: "API key" },
    apiVersion: { type: "string", default: "2024" },
    size: { type: "integer" },
    mode: { type: "string", enum: ["a", "b"] },
    fast: { type: "boolean" },
  },
  required: ["apiKey"],
};

test("each property becomes a field of its kind, those required first", () => {
  expect(fieldsOf(SCHEMA).map(({ label, kind }) => `${label}: ${kind}`)).toEqual([
    "API key: secret",
    "Base URL: address",
    "API version: text",
    "Size: number",
    "Mode: choice",
    "Fast: yes-no",
  ]);
});

test("a form begins with the defaults, and gives no empty values", () => {
  expect(defaultsOf(SCHEMA)).toEqual({ apiVersion: "2024" });
  expect(givenValues({ apiVersion: "2024", apiKey: "", size: 0, fast: false })).toEqual({
    apiVersion: "2024",
    size: 0,
    fast: false,
  });
});
