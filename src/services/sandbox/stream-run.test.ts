import { expect, test } from "vitest";
import { BadRequest } from "../../platform/http/errors.ts";
import type { CodeEvent, CodeResult, Printed } from "./contract.ts";
import { streamRun } from "./stream-run.ts";

const { signal } = new AbortController();
const RESULT: CodeResult = {
  output: [],
  isLost: false,
  files: [],
  left: [],
  isNew: true,
  session: "01900000-0000-7000-8000-000000000000",
  interpreter: "Python 3",
  durationMs: 1,
};
const out = (text: string): Printed => ({ stream: "stdout", text });

test("what code prints is sent while it runs, joined, and then its result", async () => {
  const ended = Promise.withResolvers<CodeResult>();
  const events = streamRun((onOutput) => {
    for (const text of ["a", "b"]) onOutput(out(text));
    onOutput({ stream: "stderr", text: "c" });
    return ended.promise;
  }, signal);
  // before the end
  expect((await events.next()).value).toEqual([
    { type: "output", output: [out("ab"), { stream: "stderr", text: "c" }] },
  ]);
  ended.resolve(RESULT);
  expect((await events.next()).value).toEqual([{ type: "done", result: RESULT }]);
  expect((await events.next()).done).toBe(true);
});

test("a run that prints nothing sends its result alone", async () => {
  const events: CodeEvent[] = [];
  for await (const batch of streamRun(async () => RESULT, signal)) events.push(...batch);
  expect(events).toEqual([{ type: "done", result: RESULT }]);
});

test("a failure before anything is printed is thrown, a later one is the last event", async () => {
  const failure = new BadRequest("code_files_too_large", "Too large.");
  const early = streamRun(() => Promise.reject(failure), signal);
  await expect(early.next()).rejects.toBe(failure);
  const late = streamRun((onOutput) => {
    onOutput(out("a"));
    return Promise.reject(failure);
  }, signal);
  const events: CodeEvent[] = [];
  for await (const batch of late) events.push(...batch);
  expect(events.at(-1)).toMatchObject({ type: "error", code: "code_files_too_large" });
});
