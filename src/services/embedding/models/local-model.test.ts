import { afterAll, expect, test } from "vitest";
import { createWorkers } from "../../../platform/workers/workers.ts";
import { hashWords } from "./hashed-words.ts";
import { localModel } from "./local-model.ts";

const workers = createWorkers({ size: 1 });
afterAll(() => workers[Symbol.asyncDispose]());
const signal = new AbortController().signal;
const refusing = {
  run: () => Promise.reject(new Error("no worker")),
};
const textOf = (characters: number, seed: number) =>
  Array.from(
    { length: Math.ceil(characters / 6) },
    (_, n) => `w${(n * seed) % 9_973}x`,
  ).join(" ");

test("texts of any length have the same vectors, in their order", async () => {
  const model = localModel(workers, 64);
  const texts = [10, 150_000, 90_000, 3_000, 250_000, 1].map(textOf);
  const vectors = await model.embed(texts, "passage", signal);
  expect(vectors).toEqual(texts.map((text) => hashWords(text, 64)));
  const short = ["harbour", "rope"];
  expect(await model.embed(short, "query", signal)).toEqual(
    short.map((text) => hashWords(text, 64)),
  );
});

test("what is long together is left to a worker, so that others do not wait", async () => {
  const { embed } = localModel(refusing);
  const page = textOf(4_000, 3);
  expect(await embed([page, ""], "passage", signal)).toHaveLength(2);
  await expect(embed([page, page, page], "passage", signal)).rejects.toThrow("no worker");
});

test("a caller that leaves ends the work", async () => {
  const left = AbortSignal.abort(new Error("left"));
  await expect(
    localModel(workers).embed([textOf(50_000, 5)], "passage", left),
  ).rejects.toThrow();
});
