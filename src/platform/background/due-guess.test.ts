import { afterEach, expect, test, vi } from "vitest";
import { createDueGuess, firstOf } from "./due-guess.ts";

afterEach(() => vi.useRealTimers());

/** Looks each second, as its users do. @returns the seconds at which `look` was called. */
async function secondsOfLooks(
  seconds: number,
  look: () => Promise<number | undefined>,
  guess = createDueGuess(),
): Promise<number[]> {
  vi.useFakeTimers();
  const begun = performance.now();
  const looks: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    await guess.lookIfDue(() => {
      looks.push(Math.round((performance.now() - begun) / 1_000));
      return look();
    });
    await vi.advanceTimersByTimeAsync(1_000);
  }
  return looks;
}

test("where nothing is due it looks twice a minute", async () => {
  expect(await secondsOfLooks(61, async () => undefined)).toEqual([0, 30, 60]);
  expect(await secondsOfLooks(61, async () => 3_600_000)).toEqual([0, 30, 60]);
});

test("it looks in the second in which the next is due, and each second while one is", async () => {
  const times = [3_500, 0, -1_000, undefined];
  const looks = await secondsOfLooks(10, async () => times.shift());
  expect(looks).toEqual([0, 4, 5, 6]);
});

test("it looks at once after a notification, also after one that came while it looked", async () => {
  const guess = createDueGuess();
  let isFirst = true;
  const looks = await secondsOfLooks(
    4,
    async () => {
      if (isFirst) guess.wake();
      isFirst = false;
      return undefined;
    },
    guess,
  );
  expect(looks).toEqual([0, 1]);
  guess.wake();
  const look = vi.fn(async () => undefined);
  await guess.lookIfDue(look);
  expect(look).toHaveBeenCalledOnce();
});

test("it looks again in the next second after a failure", async () => {
  const guess = createDueGuess();
  const failure = new Error("the database is unavailable");
  const look = () => Promise.reject(failure);
  await expect(guess.lookIfDue(look)).rejects.toBe(failure);
  await expect(guess.lookIfDue(look)).rejects.toBe(failure);
});

test("the first of several times is known, also without any", () => {
  expect(firstOf([5, null, -2])).toBe(-2);
  expect(firstOf([null])).toBeUndefined();
});
