import { afterAll, expect, test, vi } from "vitest";
import { createWorkers } from "../workers/workers.ts";
import { openSchema } from "./open-schema.ts";

const workers = createWorkers({ size: 1 });
afterAll(() => workers[Symbol.asyncDispose]());

const many = (count: number) => ({
  anyOf: Array.from({ length: count }, (_, n) => ({ type: "object", required: [`k${n}`] })),
});

test("a small schema and a large one in a worker find the same violations", async () => {
  const cases: [Record<string, unknown>, unknown][] = [
    [many(3), { k2: 1 }],
    [many(100), { k2: 1 }],
    [{ pattern: "^a$", type: "string" }, "a"],
  ];
  for (const [schema, right] of cases) {
    const check = await openSchema(workers, schema);
    expect(await check(right)).toEqual([]);
    expect(await check(7)).not.toEqual([]);
  }
});

test("reports why a schema cannot be read, small or large", async () => {
  const wrong = { type: "nonsense" };
  await expect(openSchema(workers, wrong)).rejects.toThrow("type");
  await expect(openSchema(workers, { allOf: [wrong, many(300)] })).rejects.toThrow("type");
});

test("thousands of alternatives are compiled without holding the event loop", async () => {
  const run = vi.spyOn(workers, "run");
  await openSchema(workers, many(3));
  expect(run).not.toHaveBeenCalled();
  await openSchema(workers, many(2_900)).catch(() => {}); // it may be too much for a worker too
  expect(run).toHaveBeenCalled();
  run.mockRestore();
});

test("stops a check that does not end, and says what to do", async () => {
  const check = await openSchema(workers, { type: "string", pattern: "^(a+)+$" });
  await expect(check(`${"a".repeat(50)}!`)).rejects.toMatchObject({ code: "too_complex" });
});
