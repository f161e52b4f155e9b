import { expect, test } from "vitest";
import type { CompletionRequest } from "../completion/contract.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import { RunRequest } from "./contract.ts";
import { FIND_TOOLS, narrowTools } from "./find-tools.ts";
import { loop, type LoopDeps, openTranscript } from "./loop.ts";
import { rankTools } from "./rank-tools.ts";

const { signal } = new AbortController();
const SESSION = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
const VERBS = ["list", "read", "create", "change", "delete"];
const THINGS = Array.from({ length: 99 }, (_, at) => `thing${at}`);
const tool = (name: string, description: string, more: object = {}): ListedTool => ({
  name,
  description,
  inputSchema: {},
  server: "town",
  effect: "read_only",
  ...more,
});
const MANY: ListedTool[] = [
  ...THINGS.flatMap((thing) =>
    VERBS.map((verb) => tool(`${verb}_${thing}`, `${verb}s a ${thing} of the town`)),
  ),
  tool("weather_forecast", "Tells how warm and how wet tomorrow is"),
  tool("bookFerry", "Books a passage on a ship", { effect: "destructive" }),
  tool("sendMail", "Sends a letter by electronic mail"),
  tool("count_birds", "Counts birds in a picture"),
  tool("ring_bell", "Rings the bell of the town hall"),
];

/** A run whose model makes these calls, one in each turn. */
async function run(
  calls: { name: string; arguments: object }[],
  more: Partial<RunRequest> = {},
  max = 40,
  tools = MANY,
) {
  const asked: CompletionRequest[] = [];
  const called: string[] = [];
  const deps: LoopDeps = {
    async openToolbox(request) {
      const call = async (name: string) => {
        called.push(name);
        return { content: `did ${name}`, isError: false };
      };
      return narrowTools({ tools, missing: [], call }, request, max);
    },
    async *complete(request) {
      const next = calls[asked.push(request) - 1];
      if (next)
        yield [
          {
            type: "tool_call",
            id: `c${asked.length}`,
            name: next.name,
            arguments: { ...next.arguments },
          },
        ];
      const usage = { inputTokens: 1, outputTokens: 1 };
      yield [{ type: "done", finishReason: "stop", usage }];
    },
  };
  const request = RunRequest.parse({
    model: "m",
    messages: [{ role: "user", content: "go" }],
    ...more,
  });
  const transcript = openTranscript(request);
  for await (const _ of loop(deps, request, transcript, signal));
  const sent = asked.map(({ tools = [] }) => tools.map(({ name }) => name));
  return { sent, called, transcript };
}

const find = (query: string) => ({ name: FIND_TOOLS, arguments: { query } });

test("of 500 tools the model is sent the one that finds them, then those that it found", async () => {
  expect(MANY).toHaveLength(500);
  const forecast = { name: "weather_forecast", arguments: {} };
  const { sent, called, transcript } = await run([find("how warm tomorrow"), forecast]);
  expect(sent[0]).toEqual([FIND_TOOLS]);
  expect(sent[1]?.slice(0, 2)).toEqual([FIND_TOOLS, "weather_forecast"]);
  expect(sent[1]?.length).toBeLessThanOrEqual(9);
  expect(called).toEqual(["weather_forecast"]);
  expect(transcript.toolCalls[0]?.content).toContain("weather_forecast: Tells how warm");
});

test("the same words find the same tools, by name, title or description, best first", () => {
  const search = rankTools(MANY);
  const names = (query: string) => search(query, 3).map(({ name }) => name);
  expect(names("book a ferry")[0]).toBe("bookFerry");
  expect(names("BIRDS")).toEqual(["count_birds"]);
  expect(names("delete thing42")[0]).toBe("delete_thing42");
  expect(names("send mails")[0]).toBe("sendMail");
  expect(names("quantum ß 名")).toEqual([]);
  expect(names("list")).toEqual(names("list"));
  expect(names("list")).toEqual(["list_thing0", "list_thing1", "list_thing2"]);
});

test("a found tool that destroys something waits for a decision, and is there when it comes", async () => {
  const ferry = { name: "bookFerry", arguments: { to: "Norderney" } };
  const waiting = await run([find("ferry"), ferry], { approval: "destructive" });
  expect(waiting.called).toEqual([]);
  expect(waiting.transcript.finishReason).toBe("approval");
  const { messages } = waiting.transcript;
  const continued = await run([], {
    messages: [{ role: "user", content: "go" }, ...messages],
    approval: "destructive",
    decisions: [{ toolCallId: "c2", decision: "approve" }],
  });
  expect(continued.called).toEqual(["bookFerry"]);
  expect(continued.sent[0]).toContain("bookFerry");
});

test("the search itself waits for nobody, also where every call of a tool does", async () => {
  const ferry = { name: "bookFerry", arguments: { to: "Norderney" } };
  const { called, transcript } = await run([find("ferry"), ferry], { approval: "always" });
  expect(transcript.toolCalls.map(({ name }) => name)).toEqual([FIND_TOOLS]);
  expect(transcript.finishReason).toBe("approval");
  expect(called).toEqual([]);
});

test("no tool that is not permitted is found or runs, and arguments are checked", async () => {
  const { called, transcript } = await run([
    { name: "open_vault", arguments: {} },
    { name: FIND_TOOLS, arguments: { query: "" } },
    find("vault"),
  ]);
  expect(called).toEqual([]);
  const contents = transcript.toolCalls.map(({ content }) => content);
  expect(contents[0]).toContain("tool_not_permitted");
  expect(contents[1]).toContain("tool_arguments_invalid");
  expect(contents[2]).toBe("No tool has these words. Try others.");
});

test("a short list that would fill the model's context is found too, not sent", async () => {
  const { sent } = await run([], { contextWindow: 4_000 }, 500);
  expect(sent[0]).toEqual([FIND_TOOLS]);
  expect((await run([], { contextWindow: 1_000_000 }, 500)).sent[0]).toHaveLength(500);
});

test("a list that is short enough is sent whole", async () => {
  const { sent } = await run([], {}, 500);
  expect(sent[0]).toHaveLength(500);
  expect(sent[0]).not.toContain(FIND_TOOLS);
});

test("tools of the platform take no room of others, and alone they need no search", async () => {
  const own = MANY.slice(0, 60);
  const more = { platformTools: { sessionId: SESSION, tools: own } };
  expect((await run([], more, 40, own)).sent[0]).toEqual(own.map(({ name }) => name));
  const { sent } = await run([], more, 40, MANY.slice(0, 100));
  expect(sent[0]).toHaveLength(100);
  expect((await run([], more, 40, MANY.slice(0, 101))).sent[0]).toHaveLength(61);
});
