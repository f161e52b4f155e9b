import { expect, test } from "vitest";
import { withinTime } from "./parse-run.ts";

const never = new Promise<never>(() => {});

test("a step that hears no signal is not waited for when the time is over, and the trace says that it was running", async () => {
  let told: AbortSignal | undefined;
  const running = withinTime(50, new AbortController().signal, ({ signal, trace, begin }) => {
    told = signal;
    trace.push({ backend: "one", outcome: "skipped", durationMs: 0 });
    begin("two");
    return never;
  });
  await expect(running).rejects.toMatchObject({
    status: 422,
    code: "parsing_timeout",
    trace: [{ backend: "one" }, { backend: "two", outcome: "failed" }],
  });
  expect(told?.aborted).toBe(true);
});

test("what nobody waits for ends as the caller said, and a result in time is the result", async () => {
  const stop = new AbortController();
  const running = withinTime(60_000, stop.signal, async ({ signal }) => {
    stop.abort(new Error("nobody waits"));
    signal.throwIfAborted();
  });
  await expect(running).rejects.toThrow("nobody waits");
  expect(await withinTime(60_000, new AbortController().signal, async () => 7)).toBe(7);
});
