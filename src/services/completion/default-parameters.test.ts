import { expect, test } from "vitest";
import { completionServer, lines } from "../../../test/support/completion-server.ts";
import type { Reply } from "../../../test/support/fake-provider/script.ts";

const YES: Reply = { steps: [{ text: "Yes" }] };

/** What the provider was asked for, of what these tests set. */
async function sent(
  parameters: object,
  request: object,
  fallback?: object,
): Promise<Record<string, unknown>> {
  const { ask, provider, others } = await completionServer({
    replies: [fallback ? { status: 401 } : YES],
    parameters,
    ...(fallback && { fallbacks: [{ replies: [YES], parameters: fallback }] }),
  });
  await lines(await ask(request));
  const { requests } = others[0] ?? provider;
  const { temperature, top_p, seed, stop, reasoning_effort, frequency_penalty } =
    (requests[0]?.body ?? {}) as Record<string, unknown>; // the tests look at the fields
  const all = { temperature, top_p, seed, stop, reasoning_effort, frequency_penalty };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

test("what a request does not say is as it is set for the model", async () => {
  const parameters = { temperature: 0.2, seed: 7, stop: ["END"], reasoningEffort: "low" };
  expect(await sent(parameters, {})).toEqual({
    temperature: 0.2,
    seed: 7,
    stop: ["END"],
    reasoning_effort: "low",
  });
  expect(await sent({}, {})).toEqual({});
});

test("what a request says goes before, also zero and nothing to stop at", async () => {
  const parameters = {
    frequencyPenalty: 1,
    seed: 7,
    stop: ["END"],
    reasoningEffort: "low",
  };
  const own = { frequencyPenalty: 0, seed: 0, stop: [], reasoningEffort: "high" };
  expect(await sent(parameters, own)).toEqual({
    frequency_penalty: 0,
    seed: 0,
    stop: [],
    reasoning_effort: "high",
  });
});

test("temperature and top_p are one choice: a request that makes it makes it whole", async () => {
  const parameters = { temperature: 0.2, topP: 0.5 };
  expect(await sent(parameters, { temperature: 1 })).toEqual({ temperature: 1 });
  expect(await sent(parameters, { topP: 1 })).toEqual({ top_p: 1 });
  expect(await sent(parameters, { seed: 1 })).toEqual({
    temperature: 0.2,
    top_p: 0.5,
    seed: 1,
  });
});

test("a fallback answers with what is set for it, not for the model that failed", async () => {
  expect(
    await sent({ temperature: 0.2, seed: 7 }, { stop: ["."] }, { temperature: 0.9 }),
  ).toEqual({ temperature: 0.9, stop: ["."] });
});
