import { expect, test } from "vitest";
import { nameModel } from "./name-model.ts";

test.each([
  ["gpt-4o", "GPT-4o"],
  ["gpt-4o-mini", "GPT-4o mini"],
  ["gpt-4.1-nano", "GPT-4.1 nano"],
  ["gpt-4o-2024-08-06", "GPT-4o (2024-08-06)"],
  ["gpt-oss:20b", "GPT-oss 20B"],
  ["claude-sonnet-4-5-20250929", "Claude Sonnet 4.5 (20250929)"],
  ["claude-3-5-haiku-latest", "Claude 3.5 Haiku"],
  ["anthropic.claude-3-5-sonnet-20241022-v2:0", "Claude 3.5 Sonnet (20241022)"],
  ["gemini-2.5-flash-lite", "Gemini 2.5 Flash Lite"],
  ["qwen3:8b", "Qwen3 8B"],
  ["qwen2.5-coder:7b", "Qwen2.5 Coder 7B"],
  ["qwen3:30b-a3b", "Qwen3 30B A3B"],
  ["llama3.2:latest", "Llama 3.2"],
  ["meta-llama/Llama-3.1-8B-Instruct", "Llama 3.1 8B Instruct"],
  ["mistral-large-latest", "Mistral Large"],
  ["mixtral:8x7b", "Mixtral 8X7B"],
  ["deepseek-r1:14b", "DeepSeek R1 14B"],
])("%s is %s", (id, name) => {
  expect(nameModel(id)).toBe(name);
});

test.each(["gpt-test", "town-model", "nomic-embed-text:latest", "", "egpt-4", "claude"])(
  "%s stays as it is",
  (id) => {
    expect(nameModel(id)).toBe(id);
  },
);

test("models of different dates have different names", () => {
  const ids = ["gpt-4o", "gpt-4o-2024-05-13", "gpt-4o-2024-11-20", "mistral-large-2411"];
  expect(new Set(ids.map(nameModel)).size).toBe(ids.length);
});

test("a hostile id costs no time that grows faster than it", () => {
  for (const part of ["gpt-1", "claude-3-", "20240101-", "/gpt-"])
    expect(nameModel(part.repeat(60_000))).toBe(part.repeat(60_000));
});
