import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ApiError, Forbidden, Unauthorized, Unavailable } from "./errors.ts";
import { whileAdmitted } from "./still-admitted.ts";

const EXPIRED = new Unauthorized("token_expired", "Refresh it.");
const GRACE_MS = 5_000;
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Watches a reader of whom each question gets the next answer, and then the last one always. */
function watch(answers: (Error | "admitted")[], expiryGraceMs = GRACE_MS) {
  const startedAt = performance.now();
  const ended: { code: string; afterMs: number }[] = [];
  let asked = 0;
  const admitted = async () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    if (answer !== "admitted") throw answer;
  };
  const end = ({ code }: ApiError) =>
    void ended.push({ code, afterMs: performance.now() - startedAt });
  const stop = whileAdmitted({ admitted, end, expiryGraceMs });
  return { ended, stop, asked: () => asked };
}

test("ends a stream at the first refusal, once", async () => {
  const { ended } = watch(["admitted", new Forbidden("permission_missing", "Ask for it.")]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).toEqual([{ code: "permission_missing", afterMs: 2_000 }]);
});

test("ends the stream of an expired token after its grace", async () => {
  const { ended } = watch([EXPIRED]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).toEqual([{ code: "token_expired", afterMs: 1_000 + GRACE_MS }]);
});

test("off: with a grace that never ends, the stream of an expired token stays open", async () => {
  const { ended, stop } = watch([EXPIRED], Infinity);
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(ended).toEqual([]);
  stop();
});

test("does not give an expired token a new grace when the server cannot check it for a while", async () => {
  const away = new Unavailable("keys_unavailable", "Try again.");
  const { ended } = watch([EXPIRED, EXPIRED, away, away, EXPIRED]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).toEqual([{ code: "token_expired", afterMs: 1_000 + GRACE_MS }]);
});

test("ends a stream when the server cannot check its reader for a minute", async () => {
  const { ended } = watch([new Unavailable("revocations_unknown", "Try again.")]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ended).toEqual([{ code: "revocations_unknown", afterMs: 61_000 }]);
});

test("keeps a stream open when the server can check its reader again in time", async () => {
  const away = new Error("connection refused");
  const { ended, stop } = watch([away, away, "admitted"]);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(ended).toEqual([]);
  stop();
});

test("asks nothing, and ends nothing, after it was stopped", async () => {
  const { ended, stop, asked } = watch([EXPIRED], 0);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([ended, asked()]).toEqual([[], 0]);
});
