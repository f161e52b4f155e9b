import { expect, test } from "vitest";
import { memoryCache } from "../../platform/cache/memory.ts";
import { createClientAnswers, responseIn } from "./client-answers.ts";

const question = { caller: "bob", session: "s1", requestId: "q1" };
const never = new AbortController().signal;

test("an answer that another replica received reaches the one that asked", async () => {
  await using cache = memoryCache();
  await using asking = await createClientAnswers(cache);
  await using receiving = await createClientAnswers(cache);
  const answer = asking.wait(question, never);
  await receiving.answer(question, { result: { action: "accept" } });
  expect(await answer).toEqual({ result: { action: "accept" } });
});

test("nobody answers for another caller, in another session, or another question", async () => {
  await using cache = memoryCache();
  await using answers = await createClientAnswers(cache);
  const left = new AbortController();
  const answer = answers.wait(question, left.signal);
  let isAnswered = false;
  answer.then(() => (isAnswered = true)).catch(() => {});
  for (const other of [{ caller: "eve" }, { session: "s2" }, { requestId: "q2" }])
    await answers.answer({ ...question, ...other }, { result: "forged" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  left.abort(new Error("the call was cancelled"));
  await expect(answer).rejects.toThrow("cancelled");
});

test("an answer that is too long is refused, for the server to know", async () => {
  await using cache = memoryCache();
  await using answers = await createClientAnswers(cache);
  const answer = answers.wait(question, never);
  await answers.answer(question, { result: "x".repeat(1_000_000) });
  expect(await answer).toMatchObject({
    error: { message: expect.stringContaining("too long") },
  });
});

test.each([
  [{ jsonrpc: "2.0", id: 1, result: {} }, true],
  [{ jsonrpc: "2.0", id: "a", error: { code: 1, message: "no" } }, true],
  [{ jsonrpc: "2.0", id: 1, method: "ping" }, false],
  [{ jsonrpc: "2.0", id: null, result: {} }, false],
  [[{ jsonrpc: "2.0", id: 1, result: {} }], false],
])("whether %j answers a question: %s", (body, isOne) => {
  expect(responseIn(body) !== undefined).toBe(isOne);
});
