import { describe, expect, test } from "vitest";
import {
  completionServer,
  lines,
  type ScriptedModel,
} from "../../../test/support/completion-server.ts";
import type { Reply } from "../../../test/support/fake-provider/script.ts";
import type { Target } from "./catalogue.ts";
import type { LoadSharing as Sharing } from "./contract-catalogue.ts";
import { createLoadSharing } from "../../platform/in-turn/load-sharing.ts";
import { conversationKey } from "./conversation-key.ts";

const endpoint = (id: string, loadSharing?: Sharing) =>
  ({ id, fallbacks: [], loadSharing }) as unknown as Target; // all that is read of it

function sharing(
  by: Sharing["by"],
  weight = 1,
  others = { b: 1, c: 1 },
  now?: () => number,
) {
  const asked = endpoint("a", {
    by,
    weight,
    with: Object.entries(others).map(([id, share]) => ({ id, weight: share })),
  });
  const all = [asked, ...Object.keys(others).map((id) => endpoint(id))];
  const loads = createLoadSharing(now);
  const order = (conversationId: string, endpoints = all) =>
    loads.order(asked, endpoints, keyOf(request(conversationId))).map(({ id }) => id);
  return { asked, all, loads, order };
}

const keyOf = (ask: ReturnType<typeof request>) => conversationKey("a", ask);
const request = (conversationId: string | undefined, text = "hello") => ({
  model: "a",
  stream: true,
  messages: [
    { role: "system" as const, content: "Be short." },
    { role: "user" as const, content: text },
  ],
  context: { conversationId },
});

describe("by weight", () => {
  test("conversations are spread as the weights say", () => {
    const { order } = sharing("weight", 1, { b: 3, c: 6 });
    const firsts = Array.from({ length: 4_000 }, (_, at) => order(`conversation ${at}`)[0]);
    const share = (id: string) => firsts.filter((one) => one === id).length / 4_000;
    expect(share("a")).toBeCloseTo(0.1, 1);
    expect(share("b")).toBeCloseTo(0.3, 1);
    expect(share("c")).toBeCloseTo(0.6, 1);
  });

  test("a conversation stays at one endpoint, in every process, and only those of one that fails move", () => {
    const { order, all } = sharing("weight");
    const other = sharing("weight");
    for (let at = 0; at < 100; at += 1) {
      const [first, second, third] = order(`c${at}`);
      expect(other.order(`c${at}`)).toEqual([first, second, third]);
      const withoutB = order(
        `c${at}`,
        all.filter(({ id }) => id !== "b"),
      );
      expect(withoutB[0]).toBe(first === "b" ? second : first);
    }
  });

  test("clients without conversations stay where their messages begin alike", () => {
    const { asked, all, loads } = sharing("weight");
    const first = (text: string, more: string[] = []) => {
      const ask = request(undefined, text);
      const later = more.map((content) => ({ role: "user" as const, content }));
      return loads.order(
        asked,
        all,
        keyOf({ ...ask, messages: [...ask.messages, ...later] }),
      )[0]?.id;
    };
    const texts = Array.from({ length: 60 }, (_, at) => `question ${at}`);
    for (const text of texts) expect(first(text, ["and then?"])).toBe(first(text));
    expect(new Set(texts.map((text) => first(text)))).toEqual(new Set(["a", "b", "c"]));
  });
});

describe("to the least busy", () => {
  test("a new conversation begins where the fewest requests run for the weight", async () => {
    const { order, loads } = sharing("least_busy", 1, { b: 1, c: 3 });
    const ends: (() => void)[] = [];
    const running = ["a", "c", "c"].map((id) =>
      loads.during(id, () => new Promise<void>((resolve) => ends.push(resolve))),
    );
    // one more makes 2 at a, 1 at b, and 3 of three at c
    expect(order("new").at(-1)).toBe("a");
    running.push(loads.during("b", () => new Promise((resolve) => ends.push(resolve))));
    expect(order("new")[0]).toBe("c");
    for (const end of ends) end();
    await Promise.all(running);
    expect(order("new")[0]).toBe("c");
  });

  test("a call that fails runs no longer", async () => {
    const { order, loads } = sharing("least_busy", 1, { b: 1, c: 1 });
    const before = order("new");
    await expect(
      loads.during("a", () => Promise.reject(new Error("gone"))),
    ).rejects.toThrow("gone");
    expect(order("new")).toEqual(before);
  });

  test("a conversation stays where it was answered, however busy, for ten minutes", async () => {
    let time = 0;
    const { asked, all, order, loads } = sharing(
      "least_busy",
      1,
      { b: 1, c: 1 },
      () => time,
    );
    const [, second] = order("one");
    const place = all.find(({ id }) => id === second) ?? asked;
    loads.answered(asked, place, keyOf(request("one")));
    let end = () => {};
    const busy = loads.during(
      place.id,
      () => new Promise<void>((resolve) => (end = resolve)),
    );
    expect(order("one")[0]).toBe(second);
    time = 10 * 60_000 + 1;
    expect(order("one").at(-1)).toBe(second);
    end();
    await busy;
  });
});

const YES: Reply = { steps: [{ text: "Yes" }] };
const FAILS: Reply = { status: 503 };
const always = (reply: Reply): ScriptedModel => ({ replies: () => reply });
const twoEndpoints = (by: Sharing["by"]): Sharing => ({
  by,
  weight: 1,
  with: [{ id: "a2", weight: 1 }],
});
const inConversation = (conversationId: string) => ({ context: { conversationId } });

describe("through the service", () => {
  test("both endpoints answer, as the same model: nothing counts as replaced", async () => {
    const { ask, provider, others, replaced, transactions } = await completionServer({
      ...always(YES),
      fallbacks: [always(YES)],
      loadSharing: twoEndpoints("weight"),
    });
    for (let at = 0; at < 24; at += 1) {
      const events = await lines(await ask(inConversation(`c${at % 12}`)));
      const elsewhere = events.find(({ type }) => type === "answered_by");
      if (elsewhere) expect(elsewhere).toMatchObject({ model: "a2", code: "load_shared" });
    }
    const counts = [provider.requests.length, others[0]?.requests.length ?? 0];
    expect(counts.reduce((sum, count) => sum + count)).toBe(24);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    // a conversation asks the same one both times
    expect(counts.map((count) => count % 2)).toEqual([0, 0]);
    expect(replaced).toEqual([]);
    expect(new Set(transactions.map((one) => one.provider))).toEqual(
      new Set(["fake", "fake-2"]),
    );
  });

  test("requests at once go to both, to the least busy", async () => {
    let answer = () => {};
    const until = new Promise<void>((resolve) => (answer = resolve));
    const waits: Reply = { steps: [{ until }, { text: "Yes" }] };
    const { ask, provider, others } = await completionServer({
      ...always(waits),
      fallbacks: [always(waits)],
      loadSharing: twoEndpoints("least_busy"),
    });
    const asked: Promise<Response>[] = [];
    for (let at = 0; at < 6; at += 1) {
      asked.push(ask(inConversation(`c${at}`)));
      await expect
        .poll(() => provider.requests.length + (others[0]?.requests.length ?? 0))
        .toBe(at + 1);
    }
    expect([provider.requests.length, others[0]?.requests.length]).toEqual([3, 3]);
    answer();
    for (const response of asked) await lines(await response);
  });

  test.each(["weight", "least_busy"] as const)(
    "by %s, what one endpoint cannot answer the other does, and it rests",
    async (by) => {
      const { ask, provider, others } = await completionServer({
        ...always({ status: 429, headers: { "retry-after": "60" } }),
        fallbacks: [always(YES)],
        loadSharing: twoEndpoints(by),
      });
      for (let at = 0; at < 10; at += 1) {
        const events = await lines(await ask(inConversation(`c${at}`)));
        expect(events.at(-1)).toMatchObject({ type: "done", answeredBy: { model: "a2" } });
      }
      expect(provider.requests.length).toBe(1);
      expect(others[0]?.requests).toHaveLength(10);
    },
  );

  test("where all endpoints fail, the other fallbacks answer, and the reply says why", async () => {
    const { ask, replaced } = await completionServer({
      ...always({ status: 401 }),
      fallbacks: [always({ status: 429 }), always(YES)],
      loadSharing: twoEndpoints("weight"),
    });
    const code = "provider_refused_key";
    const events = await lines(await ask());
    expect(events[0]).toMatchObject({ type: "answered_by", model: "a3", code });
    expect(replaced).toMatchObject([{ model: "a3", code }]);
    expect((await lines(await ask()))[0]).toMatchObject({ model: "a3", code });
  });

  test("where nobody answers, the failure is that of the model that was asked", async () => {
    const { ask } = await completionServer({
      ...always({ status: 404 }),
      fallbacks: [always(FAILS)],
      loadSharing: twoEndpoints("least_busy"),
    });
    for (let at = 0; at < 3; at += 1) {
      const response = await ask(inConversation(`c${at}`));
      expect(await response.json()).toMatchObject({ code: "provider_model_unknown" });
    }
  });

  test("an endpoint that the user may not use is not asked", async () => {
    const { ask, others } = await completionServer({
      ...always(YES),
      fallbacks: [always(YES)],
      loadSharing: twoEndpoints("weight"),
      findFallbacks: async () => [],
    });
    for (let at = 0; at < 8; at += 1) await lines(await ask(inConversation(`c${at}`)));
    expect(others[0]?.requests).toHaveLength(0);
  });
});
