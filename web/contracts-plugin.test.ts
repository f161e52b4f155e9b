import { z } from "zod";
import { expect, test } from "vitest";
import { slimModule } from "./contracts-plugin.ts";

test("the browser gets methods, paths, enum options and constants, and no schema", () => {
  const source = slimModule(
    {
      LIMIT: 12,
      NAMES: { "a:read": "Read a" },
      Status: z.enum(["new", "done"]),
      Body: z.object({ secret: z.string() }),
      contract: {
        list: { method: "get", path: "/things", ok: z.object({ secret: z.string() }) },
        watch: { method: "get", path: "/events", stream: "sse" },
      },
      helper: () => 1,
    },
    "contract.ts",
  );
  expect(source).toBe(
    [
      "// contract.ts",
      "export const LIMIT = 12;",
      'export const NAMES = {"a:read":"Read a"};',
      'export const Status = {"options":["new","done"]};',
      'export const contract = {"list":{"method":"get","path":"/things"},' +
        '"watch":{"method":"get","path":"/events","stream":"sse"}};',
      "export {};",
    ].join("\n"),
  );
});
