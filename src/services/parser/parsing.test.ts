import { expect, test } from "vitest";
import { withinTime } from "./parsing.ts";

const never = new Promise<never>(() => {});

test("does not wait for a step that ignores its signal, and names it in the trace", async () => {
  let seen: AbortSignal | undefined;
  const running = withinTime(
    50,
    new AbortController().signal,
    ({ signal, trace, begin }) => {
      seen = signal;
      trace.push({ backend: "one", outcome: "skipped", durationMs: 0 });
      begin("two");
      return never;
    },
  );
  await expect(running).rejects.toMatchObject({
    status: 422,
    code: "parsing_timeout",
    trace: [{ backend: "one" }, { backend: "two", outcome: "failed" }],
  });
  expect(seen?.aborted).toBe(true);
});

test("ends with the caller's reason when the caller leaves, and returns a result that is in time", async () => {
  const stop = new AbortController();
  const running = withinTime(60_000, stop.signal, async ({ signal }) => {
    stop.abort(new Error("nobody waits"));
    signal.throwIfAborted();
  });
  await expect(running).rejects.toThrow("nobody waits");
  expect(await withinTime(60_000, new AbortController().signal, async () => 7)).toBe(7);
});
