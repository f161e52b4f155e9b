import fc from "fast-check";
import { expect, test } from "vitest";
import { BadGateway } from "../../platform/http/errors.ts";
import type { CompletionEvent, CompletionRequest } from "../completion/contract.ts";
import type { RunRequest } from "./contract.ts";
import type { ReplyEvent } from "./contract-events.ts";
import { loop, type LoopDeps, openTranscript } from "./loop.ts";
import { runTools } from "./run-tools.ts";
import type { Toolbox } from "./toolbox.ts";
import { held } from "../../../test/support/held.ts";

const TOOLS = ["read", "write", "slow"];

/** Returns the permitted ones of these tools, as a toolbox opens them. */
function toolboxOf(
  names: string[],
  { tools = [], toolChoice }: RunRequest,
  call: Toolbox["call"],
): Toolbox {
  const permitted =
    toolChoice === "none" ? [] : names.filter((name) => tools.includes(name));
  return {
    tools: permitted.map((name) => ({
      name,
      description: "",
      inputSchema: {},
      server: "s",
    })),
    missing: tools.filter((name) => !names.includes(name)),
    call,
  };
}

/** A model's answers by turn, and how its tools behave. */
const turn = fc.record({
  text: fc.string({ maxLength: 20 }),
  calls: fc.array(
    fc.record({
      name: fc.constantFrom(...TOOLS, "unlisted", "constructor"),
      arguments: fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue(), { maxKeys: 2 }),
      outcome: fc.constantFrom(
        "fine",
        "isError",
        "tool_timeout",
        "tool_server_unreachable",
      ),
      delay: fc.nat(3),
    }),
    { maxLength: 4 },
  ),
  pieces: fc.integer({ min: 1, max: 4 }),
});
const script = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 20 }),
  permitted: fc.subarray(TOOLS),
  toolChoice: fc.constantFrom(undefined, "auto", "required", "none"),
  stream: fc.boolean(),
  failure: fc.option(
    fc.record({ at: fc.nat(18), of: fc.constantFrom("completion", "gateway", "leaves") }),
    { nil: undefined },
  ),
});
type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

async function play({ turns, permitted, toolChoice, stream, failure }: Script) {
  const asked: CompletionRequest[] = [];
  const called: string[] = [];
  const leaving = new AbortController();
  const gone = new BadGateway("gateway_down", "The gateway is down.");
  const callTool: Toolbox["call"] = async (name) => {
    called.push(name);
    const number = asked.length - 1;
    if (failure?.of === "gateway" && failure.at === number) throw gone;
    const { outcome, delay } = turns[number]?.calls.find((call) => call.name === name) ?? {
      outcome: "fine",
      delay: 0,
    };
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (outcome === "tool_timeout" || outcome === "tool_server_unreachable")
      throw new BadGateway(outcome, "It failed.");
    return { content: name, isError: outcome === "isError" };
  };
  const deps: LoopDeps = {
    openToolbox: async (asked) => toolboxOf([...TOOLS, "hidden"], asked, callTool),
    async *complete(request) {
      const number = asked.push(structuredClone(request)) - 1;
      if (failure?.of === "completion" && failure.at === number)
        throw new BadGateway("provider_failed", "The provider failed.");
      if (failure?.of === "leaves" && failure.at === number)
        leaving.abort(new Error("left"));
      leaving.signal.throwIfAborted();
      const { text, calls, pieces } = turns[number] ?? {
        text: "end",
        calls: [],
        pieces: 1,
      };
      const usage = { inputTokens: 1, outputTokens: 1 };
      const made = calls.map(({ name, arguments: given }, index) => ({
        id: `${number}-${index}`,
        name,
        arguments: given,
      }));
      const finishReason = made.length > 0 ? ("tool_calls" as const) : ("stop" as const);
      if (!request.stream) {
        const toolCalls = made.map((call) => ({ ...call, type: "tool_call" as const }));
        yield [{ type: "message", content: text, toolCalls, finishReason, usage }];
        return;
      }
      const events: CompletionEvent[] = [
        { type: "text_delta", delta: text },
        ...made.map((call) => ({ ...call, type: "tool_call" as const })),
        { type: "done", finishReason, usage },
      ];
      const size = Math.ceil(events.length / pieces);
      for (let at = 0; at < events.length; at += size) yield events.slice(at, at + size);
    },
  };
  const events: ReplyEvent[] = [];
  const request = {
    model: "m",
    messages: [{ role: "user" as const, content: "go" }],
    stream,
    maxIterations: 15,
    tools: permitted,
    approval: "never" as const,
    ...(toolChoice && { toolChoice: toolChoice as "auto" | "required" | "none" }),
  };
  const progress = openTranscript(request);
  let error: unknown;
  try {
    for await (const batch of loop(deps, request, progress, leaving.signal))
      events.push(...batch);
  } catch (thrown) {
    error = thrown;
  }
  return { asked, called, events, progress, error };
}

test("with any model and tools, ends within 15 turns, keeps the order, and runs only permitted tools", async () => {
  await fc.assert(
    fc.asyncProperty(script, async (played) => {
      const { asked, called, events, progress, error } = await play(played);
      expect(asked.length).toBeLessThanOrEqual(15);
      expect(
        called.filter(
          (name) => !played.permitted.includes(name) || played.toolChoice === "none",
        ),
      ).toEqual([]);
      // exactly one end: `done` as the last event, or an error
      const dones = events.filter(({ type }) => type === "done");
      expect(dones).toHaveLength(error === undefined ? 1 : 0);
      if (error === undefined) expect(events.at(-1)?.type).toBe("done");
      if (progress.iterations === 15 && error === undefined) {
        expect(progress.finishReason).toBe("max_iterations");
        expect(asked.at(-1)?.tools).toBeUndefined();
      }
      // required holds for the first turn only
      expect(asked.slice(1).every(({ toolChoice }) => toolChoice !== "required")).toBe(
        true,
      );
      // each call is announced once, and answered once in a run that completed
      const announced = events.flatMap((event) =>
        event.type === "tool_call" ? [event.toolCallId] : [],
      );
      const answered = events.flatMap((event) =>
        event.type === "tool_result" ? [event.toolCallId] : [],
      );
      expect(new Set(announced).size).toBe(announced.length);
      expect(answered.every((id) => announced.includes(id))).toBe(true);
      // the model's history: results directly follow their calls, in the same order
      for (const { messages } of asked) {
        for (const [at, message] of messages.entries()) {
          const ids =
            message.role === "assistant"
              ? (message.toolCalls ?? []).map(({ id }) => id)
              : [];
          expect(
            messages
              .slice(at + 1, at + 1 + ids.length)
              .map(({ role, toolCallId }) => [role, toolCallId]),
          ).toEqual(ids.map((id) => ["tool", id]));
        }
      }
      if (error === undefined) expect(progress.usage?.outputTokens).toBe(asked.length);
    }),
    { numRuns: 300 },
  );
  held("hostile-models", 300);
});

test("runs waiting calls only when approved, answers each once, and continues when none waits", async () => {
  const call = fc.record({
    name: fc.constantFrom(...TOOLS, "unlisted"),
    verdict: fc.constantFrom("approve", "deny"),
  });
  const scripted = fc.record({
    calls: fc.array(call, { minLength: 1, maxLength: 5 }),
    permitted: fc.subarray(TOOLS),
    /** the round in which each call is decided */
    rounds: fc.array(fc.nat(2), { minLength: 5, maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(scripted, async ({ calls, permitted, rounds }) => {
      const made = calls.map(({ name }, index) => ({
        id: `c${index}`,
        name,
        arguments: { index },
      }));
      const called: unknown[] = [];
      const usage = { inputTokens: 1, outputTokens: 1 };
      const deps: LoopDeps = {
        openToolbox: async (asked) =>
          toolboxOf(TOOLS, asked, async (_, values) => {
            called.push(values["index"]);
            return { content: "ok", isError: false };
          }),
        async *complete({ messages }) {
          const answered = messages.some(({ role }) => role === "assistant");
          const said = made.map((one) => ({ ...one, type: "tool_call" as const }));
          yield [
            ...(answered ? [] : said),
            { type: "done", finishReason: answered ? "stop" : "tool_calls", usage },
          ];
        },
      };
      const run = async (messages: CompletionRequest["messages"], decided: number[]) => {
        const decisions = decided.map((index) => ({
          toolCallId: `c${index}`,
          decision:
            calls[index]?.verdict === "approve" ? ("approve" as const) : ("deny" as const),
        }));
        const request = {
          model: "m",
          messages,
          stream: true,
          tools: permitted,
          approval: "always" as const,
          maxIterations: 15,
          decisions,
        };
        const progress = openTranscript(request);
        const events: ReplyEvent[] = [];
        for await (const batch of loop(
          deps,
          request,
          progress,
          new AbortController().signal,
        ))
          events.push(...batch);
        return { progress, events, messages: [...messages, ...progress.messages] };
      };
      const waits = (index: number) => permitted.includes(calls[index]?.name ?? "");
      const decidedBy = (round: number) =>
        made.flatMap((_, index) =>
          waits(index) && (rounds[index] ?? 0) <= round ? [index] : [],
        );
      let result = await run([{ role: "user", content: "go" }], []);
      expect(called).toEqual([]);
      for (let round = 0; result.progress.finishReason === "approval"; round += 1) {
        expect(round).toBeLessThanOrEqual(2);
        const before = decidedBy(round - 1);
        const waiting = result.events.flatMap((event) =>
          event.type === "approval" ? [event.toolCallId] : [],
        );
        expect(waiting).toEqual(
          made.flatMap(({ id }, index) =>
            waits(index) && !before.includes(index) ? [id] : [],
          ),
        );
        result = await run(result.messages, decidedBy(round));
      }
      expect(result.progress.finishReason).toBe("stop");
      const approved = made.flatMap((_, index) =>
        waits(index) && calls[index]?.verdict === "approve" ? [index] : [],
      );
      expect(called.toSorted()).toEqual(approved);
      const answers = result.messages.flatMap(({ role, toolCallId }) =>
        role === "tool" ? [toolCallId] : [],
      );
      expect(answers.toSorted()).toEqual(made.map(({ id }) => id));
    }),
    { numRuns: 300 },
  );
});

test("a turn with thousands of calls runs a bounded number, and refuses the others at once", async () => {
  const calls = Array.from({ length: 3_000 }, (_, at) => ({
    type: "tool_call" as const,
    id: `c${at}`,
    name: "read",
    arguments: {},
  }));
  let running = 0;
  const toolbox = toolboxOf(["read"], { tools: ["read"] } as RunRequest, async () => {
    running += 1;
    return { content: "", isError: false };
  });
  const batches: ReplyEvent[][] = [];
  const ready = calls.map((call) => ({ call }));
  for await (const batch of runTools(toolbox, ready, new AbortController().signal))
    batches.push(batch);
  expect(running).toBe(32);
  expect(batches[0]).toHaveLength(3_000 - 32);
  expect(batches).toHaveLength(33);
});

test("the model sees the newest images of results, and what is stored only names them", async () => {
  const data = "A".repeat(3_000_000);
  const file = { kind: "image" as const, name: "", mediaType: "image/png", data };
  const asked: CompletionRequest[] = [];
  const usage = { inputTokens: 1, outputTokens: 1 };
  const deps: LoopDeps = {
    openToolbox: async (request) =>
      toolboxOf(TOOLS, request, async () => ({
        content: "[image]",
        files: [{ ...file }],
        isError: false,
      })),
    async *complete(request) {
      const number = asked.push(request);
      if (number < 3)
        yield [{ type: "tool_call", id: `${number}`, name: "read", arguments: {} }];
      yield [{ type: "done", finishReason: "stop", usage }];
    },
  };
  const request: RunRequest = {
    model: "m",
    messages: [{ role: "user", content: "go" }],
    stream: true,
    tools: ["read"],
    maxIterations: 15,
    approval: "never",
  };
  const transcript = openTranscript(request);
  const signal = new AbortController().signal;
  for await (const _ of loop(deps, request, transcript, signal));
  const resultsOf = (messages: CompletionRequest["messages"] = []) =>
    messages.filter(({ role }) => role === "tool").map(imagesIn);
  expect(asked.map(({ messages }) => resultsOf(messages))).toEqual([[], [1], [0, 1]]);
  expect(transcript.toolCalls.map(({ files = [] }) => files.length)).toEqual([1, 1]);
  expect(resultsOf(transcript.history)).toEqual([0, 0]);
});

function imagesIn({ content }: CompletionRequest["messages"][number]): number {
  return typeof content === "string"
    ? 0
    : content.filter(({ type }) => type === "image").length;
}

test("a tool that is not there is named in a warning, and the run goes on", async () => {
  const usage = { inputTokens: 1, outputTokens: 1 };
  const deps: LoopDeps = {
    openToolbox: async (request) =>
      toolboxOf(TOOLS, request, async () => ({ content: "", isError: false })),
    async *complete() {
      yield [{ type: "text_delta", delta: "fine" }];
      yield [{ type: "done", finishReason: "stop", usage }];
    },
  };
  const request: RunRequest = {
    model: "m",
    messages: [{ role: "user", content: "go" }],
    stream: true,
    tools: ["read", "gone"],
    maxIterations: 15,
    approval: "never",
  };
  const events: ReplyEvent[] = [];
  const signal = new AbortController().signal;
  for await (const batch of loop(deps, request, openTranscript(request), signal))
    events.push(...batch);
  expect(events.map(({ type }) => type)).toEqual(["warning", "text_delta", "done"]);
  expect(events[0]).toMatchObject({ code: "tools_missing", params: { names: "“gone”" } });
});

test("a call that needs the user's account at its server waits, and runs once there is one", async () => {
  const usage = { inputTokens: 1, outputTokens: 1 };
  const made = { id: "c1", name: TOOLS[0] ?? "", arguments: {} };
  let isConnected = false;
  const deps: LoopDeps = {
    openToolbox: async (asked) =>
      toolboxOf(TOOLS, asked, async () => {
        if (isConnected) return { content: "done", isError: false };
        throw new BadGateway("tool_sign_in_needed", "Connect your account.");
      }),
    async *complete({ messages }) {
      const isAnswered = messages.some(({ role }) => role === "tool");
      if (isAnswered) yield [{ type: "done", finishReason: "stop", usage }];
      else
        yield [
          { ...made, type: "tool_call" },
          { type: "done", finishReason: "tool_calls", usage },
        ];
    },
  };
  const run = async (
    approval: "destructive" | "never",
    messages: CompletionRequest["messages"],
    decided: boolean,
  ) => {
    const decisions = decided
      ? [{ toolCallId: made.id, decision: "approve" as const }]
      : [];
    const request = {
      model: "m",
      messages,
      stream: true,
      tools: [made.name],
      approval,
      maxIterations: 15,
      decisions,
    };
    const progress = openTranscript(request);
    const events: ReplyEvent[] = [];
    const { signal } = new AbortController();
    for await (const batch of loop(deps, request, progress, signal)) events.push(...batch);
    return { progress, events, messages: [...messages, ...progress.messages] };
  };
  const start = [{ role: "user" as const, content: "go" }];
  const refused = await run("never", start, false);
  expect(refused.progress.toolCalls).toMatchObject([{ isError: true }]);
  const waits = ({ events }: { events: ReplyEvent[] }) =>
    events.flatMap((event) => (event.type === "approval" ? [event.because] : []));
  const asked = await run("destructive", start, false);
  expect(waits(asked)).toEqual([undefined]);
  const first = await run("destructive", asked.messages, true);
  expect(first.progress.finishReason).toBe("approval");
  expect(waits(first)).toEqual(["sign_in"]);
  const second = await run("destructive", asked.messages, true);
  expect(waits(second)).toEqual(["sign_in"]);
  isConnected = true;
  const last = await run("destructive", asked.messages, true);
  expect(last.progress.finishReason).toBe("stop");
  expect(last.progress.toolCalls).toMatchObject([{ content: "done", isError: false }]);
});
