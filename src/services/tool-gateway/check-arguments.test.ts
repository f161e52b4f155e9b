import { expect, test } from "vitest";
import { ApiError, TooManyRequests } from "../../platform/http/errors.ts";
import { silentLog } from "../../platform/telemetry/log.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import { createArgumentCheck } from "./check-arguments.ts";
import type { ListedTool, ToolEffect } from "./contract.ts";

type Answer = "slow" | "busy" | "fine";

/** Workers that answer every task as the test says, and the users whose tasks they got. */
function scriptedWorkers(answerOf: (userId: string | undefined) => Answer) {
  const users: (string | undefined)[] = [];
  const run: Workers["run"] = async (_task, _input, { userId } = {}) => {
    users.push(userId);
    const answer = answerOf(userId);
    if (answer === "slow") throw new ApiError(422, "too_complex", "It takes too long.");
    if (answer === "busy")
      throw new TooManyRequests("too_many_tasks", "Too many at once.", 1_000);
    return [] as never; // no violations
  };
  return { workers: { run }, users };
}

const PATTERN = {
  type: "object",
  required: ["a"],
  properties: { a: { type: "string", pattern: "^(a+)+$" } },
};
const UNREADABLE = {
  type: "object",
  required: ["a"],
  properties: { a: { type: "string" }, b: { type: "nonsense" } },
};

function toolOf(
  effect: ToolEffect,
  inputSchema: Record<string, unknown>,
  server = "one",
): ListedTool {
  return { name: "t", description: "", server, effect, inputSchema };
}

const checkWith = (answerOf: Parameters<typeof scriptedWorkers>[0]) => {
  const { workers, users } = scriptedWorkers(answerOf);
  return { check: createArgumentCheck({ log: silentLog(), workers }), users };
};
const refused = { status: 422, code: "tool_arguments_unchecked" };

test.each([
  ["cannot be read", "fine", UNREADABLE],
  ["takes too long", "slow", PATTERN],
  ["cannot be checked now", "busy", PATTERN],
] as const)(
  "a schema that %s refuses a destructive tool, and checks the outline of others",
  async (_, answer, schema) => {
    const { check } = checkWith(() => answer);
    await expect(
      check(toolOf("destructive", schema), { a: "x" }, {}),
    ).rejects.toMatchObject(refused);
    const { effect: _effect, ...unknown } = toolOf("destructive", schema);
    await expect(check(unknown, { a: "x" }, {})).rejects.toMatchObject(refused);
    for (const effect of ["read_only", "additive"] as const) {
      const tool = toolOf(effect, schema);
      expect(await check(tool, { a: "x" }, {})).toEqual([]);
      expect(await check(tool, {}, {})).toMatchObject([{ path: "arguments" }]);
      expect(await check(tool, { a: 7 }, {})).toMatchObject([{ path: "arguments.a" }]);
    }
  },
);

test("slow checks of one user end no checks of another user or server", async () => {
  const { check, users } = checkWith((userId) => (userId === "mallory" ? "slow" : "fine"));
  const tool = toolOf("destructive", PATTERN);
  expect(await check(tool, { a: "x" }, { userId: "ada" })).toEqual([]);
  for (let n = 0; n < 10; n += 1)
    await expect(check(tool, { a: "x" }, { userId: "mallory" })).rejects.toMatchObject(
      refused,
    );
  expect(users.filter((userId) => userId === "mallory")).toHaveLength(3);
  users.length = 0;
  expect(await check(tool, { a: "x" }, { userId: "ada" })).toEqual([]);
  const other = toolOf("destructive", { ...PATTERN }, "two");
  await check(other, { a: "x" }, { userId: "mallory" }).catch(() => {});
  expect(users).toContain("ada");
  expect(users).toContain("mallory");
});

test("a schema that one user could not have read is read for the next", async () => {
  const { check } = checkWith((userId) => (userId === "mallory" ? "busy" : "fine"));
  const tool = toolOf("destructive", PATTERN);
  const [first, second] = await Promise.allSettled([
    check(tool, { a: "x" }, { userId: "mallory" }),
    check(tool, { a: "x" }, { userId: "ada" }),
  ]);
  expect(first).toMatchObject({ status: "rejected", reason: refused });
  expect(second).toEqual({ status: "fulfilled", value: [] });
});

test.each([
  [
    "draft 4",
    { $schema: "http://json-schema.org/draft-04/schema#", exclusiveMinimum: true },
  ],
  ["2019-09", { $schema: "https://json-schema.org/draft/2019-09/schema" }],
  ["null for absent keywords", { maximum: null }],
])("a schema of %s is read", async (_, { $schema, ...more }: Record<string, unknown>) => {
  const { check } = checkWith(() => "fine");
  const inputSchema = {
    ...($schema !== undefined && { $schema }),
    type: "object",
    properties: { n: { type: "number", minimum: 1, ...more } },
  };
  const tool = toolOf("destructive", inputSchema);
  expect(await check(tool, { n: 2 }, {})).toEqual([]);
  expect(await check(tool, { n: 0 }, {})).toMatchObject([{ path: "arguments.n" }]);
});
