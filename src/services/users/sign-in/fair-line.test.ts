import fc from "fast-check";
import { expect, test } from "vitest";
import { FairLine } from "./fair-line.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a key with much work delays another by one piece of it at most", async () => {
  const line = new FairLine({ maxRunning: 1, maxWaiting: { perKey: 300, total: 1_000 } });
  const order: string[] = [];
  const work = (name: string) => async () => {
    await settle();
    order.push(name);
  };
  const all = Array.from({ length: 200 }, () => line.run("attacker", work("attacker")));
  all.push(line.run("anna", work("anna")));
  await Promise.all(all);
  expect(order.indexOf("anna")).toBeLessThanOrEqual(2);
});

test("what finds its line full is refused, and others are not", async () => {
  const line = new FairLine({ maxRunning: 1, maxWaiting: { perKey: 3, total: 5 } });
  const asked = Array.from({ length: 10 }, () => line.run("attacker", settle));
  const anna = line.run("anna", async () => "in");
  const ended = await Promise.allSettled(asked);
  expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(6);
  expect(await anna).toBe("in");
});

test("everything runs once, one at a time under a key, never more than may run", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 }),
      fc.integer({ min: 1, max: 3 }),
      async (keys, maxRunning) => {
        const line = new FairLine({ maxRunning, maxWaiting: { perKey: 50, total: 50 } });
        const running: string[] = [];
        let done = 0;
        await Promise.all(
          keys.map((key, at) =>
            line
              .run(key, async () => {
                expect(running).not.toContain(key);
                running.push(key);
                expect(running.length).toBeLessThanOrEqual(maxRunning);
                await settle();
                running.splice(running.indexOf(key), 1);
                done += 1;
                if (at % 5 === 0) throw new Error("fails");
              })
              .catch(() => {}),
          ),
        );
        expect(done).toBe(keys.length);
      },
    ),
    { numRuns: 50 },
  );
});
