import { afterAll, beforeAll, expect, test } from "vitest";
import { type Conversations, startConversations } from "./support/conversations.ts";
import { text } from "./support/tool-server.ts";

/** What providers cache of a request: its tools and instructions, then the messages before. */

let chat: Conversations;
beforeAll(async () => {
  chat = await startConversations({
    zoom: { annotations: { readOnlyHint: true }, run: () => text("zoomed") },
    look: { annotations: { readOnlyHint: true }, run: () => text("seen") },
  });
});
afterAll(() => chat[Symbol.asyncDispose]());

const TOOLS = ["look", "zoom", "run_python", "list_canvases", "search_documents"];
/** A date, a time of day, or the name of a day. */
const CLOCK =
  /\b20\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/;

test("requests begin with the same tools and instructions, without a clock, and with the messages before", async () => {
  chat.provider.answerTurns({ text: ["Yes"] });
  const say = async (body: object) => {
    const response = await chat.send({
      content: "hello",
      tools: TOOLS,
      instructions: "Be brief.",
      stream: false,
      ...body,
    });
    const reply = (await response.json()) as { conversationId: string };
    expect([response.status, reply.conversationId]).toEqual([200, expect.any(String)]);
    return reply;
  };
  const { conversationId } = await say({});
  await say({ conversationId, content: "and?" });
  await say({ tools: TOOLS.toReversed(), content: "hello again" });
  const turns = chat.provider.turns();
  const [first, second, other] = turns;
  expect(turns).toHaveLength(3);
  const headOf = (body: typeof first) =>
    JSON.stringify([body?.tools, body?.messages.filter(({ role }) => role === "system")]);
  expect(headOf(first)).toContain("Be brief.");
  expect(headOf(first)).toContain("zoom");
  expect(headOf(first)).not.toMatch(CLOCK);
  expect(headOf(second)).toBe(headOf(first));
  expect(headOf(other)).toBe(headOf(first));
  const before = first?.messages ?? [];
  expect(second?.messages.slice(0, before.length)).toEqual(before);
});
