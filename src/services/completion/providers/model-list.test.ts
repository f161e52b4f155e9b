import { expect, test } from "vitest";
import { ModelList } from "./model-list.ts";

const ids = (answer: unknown) => {
  const read = ModelList.safeParse(answer);
  return read.success ? read.data.map(({ providerModelId }) => providerModelId) : undefined;
};

test.each<[string, unknown, string[] | undefined]>([
  ["OpenAI's object", { object: "list", data: [{ id: "a" }, { id: "b" }] }, ["a", "b"]],
  ["a bare array, as at Together", [{ id: "a" }], ["a"]],
  ["a bare array of names", ["a", "b"], ["a", "b"]],
  ["data of names", { data: ["a"] }, ["a"]],
  ["Ollama's tags", { models: [{ name: "a:latest", model: "a:latest" }] }, ["a:latest"]],
  ["both of llama.cpp", { models: [{ name: "a" }], data: [{ id: "a" }] }, ["a"]],
  ["data that is null beside models", { data: null, models: [{ slug: "a" }] }, ["a"]],
  [
    "entries without a name among others",
    {
      data: [
        { object: "model" },
        null,
        7,
        { id: "" },
        { id: null, name: "n" },
        { id: "a" },
      ],
    },
    ["n", "a"],
  ],
  ["an entry twice", { data: [{ id: "a" }, { id: "a" }] }, ["a"]],
  [
    "fields of other types",
    { data: [{ id: "a", created: "2024", display_name: 7, context_length: "8k" }] },
    ["a"],
  ],
  ["no models", { data: [] }, []],
  ["data that is null", { object: "list", data: null }, undefined],
  ["an error", { error: { message: "no" } }, undefined],
  ["entries of which none has a name", { data: [{ object: "model" }] }, undefined],
  ["text", "<html>", undefined],
])("reads a list of models that is %s", (_, answer, expected) => {
  expect(ids(answer)).toEqual(expected);
});

test("shows the name that a server gives, else the id", () => {
  const names = ModelList.parse({
    data: [
      { id: "a", display_name: "Claude A" },
      { id: "b", displayName: "Gemini B" },
      { id: "c", display_name: null },
    ],
  }).map(({ displayName }) => displayName);
  expect(names).toEqual(["Claude A", "Gemini B", "c"]);
});
