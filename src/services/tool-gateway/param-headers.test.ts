import { expect, test } from "vitest";
import { headerValue, paramHeaders, paramHeadersOf } from "./param-headers.ts";

const schema = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    options: {
      type: "object",
      properties: { fast: { type: "boolean", "x-mcp-header": "Fast" } },
    },
    limit: { type: "integer", "x-mcp-header": "Limit", default: 3 },
  },
};

test("marked arguments at any depth become headers; absent ones and null do not", () => {
  const wanted = paramHeadersOf(schema) ?? [];
  expect(
    paramHeaders(wanted, { region: "eu", options: { fast: false }, limit: 7 }),
  ).toEqual({
    "mcp-param-region": "eu",
    "mcp-param-fast": "false",
    "mcp-param-limit": "7",
  });
  expect(paramHeaders(wanted, { region: null, options: "wrong" })).toEqual({});
});

test.each([
  ["an empty name", { a: { type: "string", "x-mcp-header": "" } }],
  ["a name with a line end", { a: { type: "string", "x-mcp-header": "A\r\nB" } }],
  ["a name that is none", { a: { type: "string", "x-mcp-header": 1 } }],
  ["a number", { a: { type: "number", "x-mcp-header": "A" } }],
  ["a list", { a: { type: "array", "x-mcp-header": "A" } }],
  ["no type", { a: { "x-mcp-header": "A" } }],
  [
    "the same name twice",
    {
      a: { type: "string", "x-mcp-header": "A" },
      b: { type: "string", "x-mcp-header": "a" },
    },
  ],
  [
    "an entry of a list",
    { a: { type: "array", items: { type: "string", "x-mcp-header": "A" } } },
  ],
  ["a choice", { a: { oneOf: [{ type: "string", "x-mcp-header": "A" }] } }],
])("a schema that marks %s is wrong", (_, properties) => {
  expect(paramHeadersOf({ type: "object", properties })).toBeUndefined();
});

test("a value of an argument is no mark", () => {
  const properties = { a: { type: "object", default: { "x-mcp-header": "A" } } };
  expect(paramHeadersOf({ type: "object", properties })).toEqual([]);
});

test.each([
  ["plain", "plain"],
  ["", "=?base64??="],
  [" padded", "=?base64?IHBhZGRlZA==?="],
  ["two\r\nlines", "=?base64?dHdvDQpsaW5lcw==?="],
  ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
])("%j is sent as %s", (given, sent) => {
  expect(headerValue(given)).toBe(sent);
});
