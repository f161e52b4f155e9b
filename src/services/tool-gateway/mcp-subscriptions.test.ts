import { expect, test } from "vitest";
import { memoryCache } from "../../platform/cache/memory.ts";
import { createMcpSubscriptions } from "./mcp-subscriptions.ts";

const key = { caller: "anne", session: "one" };
const uri = "test://tides";

test("a session wants what it subscribed to, and another session or caller nothing of it", async () => {
  const subscriptions = createMcpSubscriptions(memoryCache());
  await subscriptions.change(key, { uri, isWanted: true });
  await subscriptions.change(key, { uri: "test://weather", isWanted: true });
  await subscriptions.change(key, { uri, isWanted: false });
  expect([...(await subscriptions.wanted(key))]).toEqual(["test://weather"]);
  for (const other of [
    { ...key, session: "two" },
    { ...key, caller: "eve" },
  ])
    expect([...(await subscriptions.wanted(other))]).toEqual([]);
});

test("each change is heard, of this session alone", async () => {
  const subscriptions = createMcpSubscriptions(memoryCache());
  let heard = 0;
  await using _ = await subscriptions.listen(key, () => (heard += 1));
  await subscriptions.change({ ...key, session: "two" }, { uri, isWanted: true });
  await subscriptions.change(key, { uri, isWanted: true });
  await expect.poll(() => heard).toBe(1);
});

test("a session subscribes to a bounded number of resources, a bounded number of times", async () => {
  const subscriptions = createMcpSubscriptions(memoryCache());
  for (let at = 0; at < 100; at += 1)
    await subscriptions.change(key, { uri: `test://${at}`, isWanted: true });
  const more = subscriptions.change(key, { uri, isWanted: true });
  await expect(more).rejects.toThrow("at most 100 resources");

  const another = { ...key, session: "two" };
  for (let at = 0; at < 1_000; at += 1)
    await subscriptions.change(another, { uri, isWanted: at % 2 === 0 });
  const again = subscriptions.change(another, { uri, isWanted: true });
  await expect(again).rejects.toThrow("initialize a new session");
});
