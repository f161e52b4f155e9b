import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListedTool } from "../tool-gateway/contract.ts";
import { rememberTools } from "./remember-tools.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();
const listed = (name: string): ListedTool => ({
  name,
  description: "",
  inputSchema: {},
  server: "s",
});

test("concurrent runs share one list; a later run, or one that lacks a tool, asks again", async () => {
  let there = [listed("find")];
  const ask = vi.fn(async () => there);
  const tools = rememberTools(ask);
  expect(await tools(new Set(["find"]), signal)).toEqual([listed("find")]);
  await tools(new Set(["find"]), signal);
  expect(ask).toHaveBeenCalledTimes(1);

  there = [listed("find"), listed("add")];
  expect(await tools(new Set(["find", "add"]), signal)).toEqual(there);
  expect(ask).toHaveBeenCalledTimes(2);

  there = [listed("add")];
  vi.advanceTimersByTime(1_001);
  expect(await tools(new Set(["add"]), signal)).toEqual(there);
  expect(ask).toHaveBeenCalledTimes(3);
});

test("asks again for a list that could not be read", async () => {
  const ask = vi.fn(async () => [listed("find")]);
  ask.mockRejectedValueOnce(new Error("away"));
  const tools = rememberTools(ask);
  await expect(tools(new Set(["find"]), signal)).rejects.toThrow("away");
  expect(await tools(new Set(["find"]), signal)).toEqual([listed("find")]);
});
