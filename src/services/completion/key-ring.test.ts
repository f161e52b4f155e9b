import { expect, test } from "vitest";
import {
  completionServer,
  lines,
  textOf,
} from "../../../test/support/completion-server.ts";
import type { SeenRequest } from "../../../test/support/fake-provider/start-fake-provider.ts";
import type { Reply } from "../../../test/support/fake-provider/script.ts";

const YES: Reply = { steps: [{ text: "Yes" }] };
const LIMITED: Reply = { status: 429, headers: { "retry-after": "120" } };
const keyOf = ({ headers }: SeenRequest) =>
  String(headers.authorization ?? headers["x-api-key"]).replace("Bearer ", "");

test("the keys of a provider share its requests", async () => {
  const { ask, provider } = await completionServer({
    keys: "one, two,three",
    replies: [YES],
  });
  for (let count = 0; count < 60; count += 1) await lines(await ask());
  const used = provider.requests.map(keyOf);
  // each is left out by chance less than once in ten billion runs
  expect(new Set(used)).toEqual(new Set(["one", "two", "three"]));
});

test.each([
  ["is at its limit", LIMITED],
  ["has no credit", { status: 402 }],
  ["is refused", { status: 401 }],
])("a key that %s rests, and the next one answers at once", async (_, failure) => {
  const { ask, provider, transactions } = await completionServer({
    kind: "anthropic",
    wire: "anthropic",
    keys: "bad,good",
    replies: (request) => (keyOf(request) === "bad" ? failure : YES),
  });
  for (let count = 0; count < 40; count += 1)
    expect(textOf(await lines(await ask()))).toBe("Yes");
  const used = provider.requests.map(keyOf);
  expect(used.filter((key) => key === "bad")).toHaveLength(1);
  expect(used.filter((key) => key === "good")).toHaveLength(40);
  expect(transactions).toHaveLength(40);
});

test("where all keys fail, each is tried once, and the answer has the failure", async () => {
  const { ask, provider } = await completionServer({ keys: "one,two", replies: [LIMITED] });
  const response = await ask();
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "120"]);
  expect(new Set(provider.requests.map(keyOf))).toEqual(new Set(["one", "two"]));
  expect(provider.requests).toHaveLength(2);
  // a key that rests is better than none
  expect((await ask()).status).toBe(503);
});

test("a failure of the server is no failure of a key", async () => {
  const { ask, provider } = await completionServer({
    keys: "one,two",
    replies: [{ status: 400 }],
  });
  expect(await (await ask()).json()).toMatchObject({ code: "provider_refused_request" });
  expect(provider.requests).toHaveLength(1);
});
