import { expect, test } from "vitest";
import { badGateway, statusFailure } from "./provider-failures.ts";
import { createRests } from "./rests.ts";

const FAILURE = badGateway("provider_failed", "No.", { retryable: true });

function restsAt() {
  const clock = { ms: 0 };
  return { clock, rests: createRests(() => clock.ms) };
}

test("a model that failed rests for a while, then one request tries it while others wait", () => {
  const { clock, rests } = restsAt();
  expect(rests.reasonOf("a")).toBeUndefined();
  rests.failed("a", FAILURE);
  expect(rests.reasonOf("a")).toBe("provider_failed");
  expect(rests.reasonOf("b")).toBeUndefined();
  clock.ms = 9_999;
  expect(rests.reasonOf("a")).toBe("provider_failed");
  clock.ms = 10_000;
  expect(rests.reasonOf("a")).toBeUndefined();
  expect(rests.reasonOf("a")).toBe("provider_failed");
  rests.answered("a");
  expect(rests.reasonOf("a")).toBeUndefined();
  expect(rests.reasonOf("a")).toBeUndefined();
});

test("it rests longer with each failure in a row, of which those at once are one, and not for ever", () => {
  const { clock, rests } = restsAt();
  const restsFor = () => {
    const from = clock.ms;
    while (rests.reasonOf("a") !== undefined) clock.ms += 1_000;
    return clock.ms - from;
  };
  const lengths: number[] = [];
  for (let incident = 0; incident < 8; incident += 1) {
    for (let request = 0; request < 20; request += 1) rests.failed("a", FAILURE);
    lengths.push(restsFor() / 1_000);
  }
  expect(lengths).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
});

test("it rests as long as its provider asks for, at most five minutes", () => {
  const { clock, rests } = restsAt();
  rests.failed("a", statusFailure(429, "20"));
  clock.ms = 19_999;
  expect(rests.reasonOf("a")).toBe("provider_rate_limited");
  clock.ms = 20_000;
  expect(rests.reasonOf("a")).toBeUndefined();
  rests.failed("b", statusFailure(503, "86400"));
  clock.ms += 300_000;
  expect(rests.reasonOf("b")).toBeUndefined();
});

test("a request that ends without an answer leaves the next trial to another", () => {
  const { clock, rests } = restsAt();
  rests.failed("a", FAILURE);
  clock.ms = 10_000;
  expect(rests.reasonOf("a")).toBeUndefined();
  clock.ms += 60_000;
  expect(rests.reasonOf("a")).toBeUndefined();
});

test("what was wrong may be mended when the catalogue changes, and only so many rest", () => {
  const { rests } = restsAt();
  for (let one = 0; one < 1_100; one += 1) rests.failed(`m${one}`, statusFailure(401));
  expect(rests.reasonOf("m0")).toBeUndefined();
  expect(rests.reasonOf("m1099")).toBe("provider_refused_key");
  rests.forget();
  expect(rests.reasonOf("m1099")).toBeUndefined();
});
