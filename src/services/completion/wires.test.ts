import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  completionServer,
  lines,
  textOf,
} from "../../../test/support/completion-server.ts";
import type { Step, Wire } from "../../../test/support/fake-provider/script.ts";
import type { ProviderKind } from "./contract-provider-kinds.ts";

const SSE_GARBAGE: Step[] = [{ raw: "data: {nope\n\n" }];
/** Each kind with its wire format, and answers of it that are not a reply. */
const KINDS: [ProviderKind, Wire, { garbage: Step[]; long: Step[] }][] = (
  [
    ["openai", "openai"],
    ["openai-compatible", "openai"],
    ["azure", "openai"],
    ["ollama", "openai"],
    ["mistral", "mistral"],
    ["anthropic", "anthropic"],
    ["google", "google"],
  ] satisfies [ProviderKind, Wire][]
).map(([kind, wire]) => [
  kind,
  wire,
  { garbage: SSE_GARBAGE, long: [{ raw: `data: "${"x".repeat(10 * 1024 * 1024)}` }] },
]);
KINDS.push([
  "bedrock",
  "bedrock",
  // read as the length of a message, `<htm` is a gigabyte
  {
    garbage: [{ raw: "<html>nonsense</html>" }],
    long: [{ raw: `\x00\xa0\x00\x00${"x".repeat(1024 * 1024)}` }],
  },
]);

const COMMENT: Step = { raw: ": still here\n\n" };
/** Bytes of each wire format that carry no event. */
const AWAKE: Record<Wire, Step> = {
  openai: COMMENT,
  mistral: COMMENT,
  anthropic: { raw: 'event: ping\ndata: {"type":"ping"}\n\n' },
  google: COMMENT,
  // there is no such message: a part of a long one
  bedrock: { raw: "\x00\x10\x00\x00" },
};

describe.each(KINDS)("a provider of kind %s", (kind, wire, { garbage, long }) => {
  test.each([
    [429, 503],
    [503, 502],
    [529, 502],
  ])(
    "that is busy, with %i, is asked again as soon as it says, and passed on when it says long",
    async (busily, status) => {
      const busy = (seconds: string) => ({
        status: busily,
        headers: { "retry-after": seconds },
      });
      const soon = await completionServer({
        kind,
        wire,
        replies: [busy("0"), { steps: [{ text: "Yes" }] }],
      });
      expect(textOf(await lines(await soon.ask()))).toBe("Yes");
      expect(soon.provider.requests).toHaveLength(2);
      const late = await completionServer({ kind, wire, replies: [busy("120")] });
      const response = await late.ask();
      expect([response.status, response.headers.get("retry-after")]).toEqual([
        status,
        "120",
      ]);
      expect(late.provider.requests).toHaveLength(1);
    },
  );

  test.each([
    ["garbage", garbage],
    ["10 MB without an end", long],
  ])(
    "that sends %s ends the reply at once, with the text that came before",
    async (_, steps) => {
      const { ask } = await completionServer({
        kind,
        wire,
        timeoutMs: 20_000,
        replies: [
          { steps: [{ text: "Start" }, { pauseMs: 30 }, ...steps, { stall: true }] },
        ],
      });
      const events = await lines(await ask());
      expect(textOf(events)).toBe("Start");
      expect(events.at(-1)).toMatchObject({ type: "error", code: "provider_invalid" });
    },
  );

  test.each<[string, Step[]]>([
    ["text", Array.from({ length: 9 }, () => ({ text: "x".repeat(500_000) }))],
    [
      "arguments",
      [
        {
          calls: [
            {
              id: "toolcall0",
              name: "weather",
              arguments: { city: "x".repeat(4_300_000) },
            },
          ],
        },
      ],
    ],
  ])("that does not stop sending %s is stopped", async (_, steps) => {
    const { ask } = await completionServer({
      kind,
      wire,
      replies: [{ steps: [{ text: "Start" }, ...steps] }],
    });
    const events = await lines(await ask());
    expect(events.at(-1)).toMatchObject({
      type: "error",
      code: expect.stringMatching(/^provider_(reply_too_long|invalid)$/),
    });
    expect(textOf(events).length).toBeLessThan(4_200_000);
  });

  test("that calls thousands of tools in one turn is stopped, and none is offered to run", async () => {
    const calls = Array.from({ length: 3_000 }, (_, n) => ({
      id: `toolcall${n}`,
      name: "weather",
      arguments: { city: `${n}` },
    }));
    const { ask } = await completionServer({
      kind,
      wire,
      replies: [{ steps: [{ calls }] }],
    });
    const events = await lines(await ask());
    expect(events).toMatchObject([{ code: "provider_reply_too_long" }]);
  });

  test.each([
    ["input", { inputTokens: 2 ** 32 - 5, outputTokens: 1 }],
    ["output", { inputTokens: 5, outputTokens: 2 ** 32 - 1 }],
  ])("whose %s is an impossible count is estimated in its place", async (_, usage) => {
    const { ask, transactions } = await completionServer({
      kind,
      wire,
      replies: [{ steps: [{ text: "Some words" }], usage }],
    });
    await lines(await ask());
    expect(transactions).toMatchObject([{ estimated: true }]);
    const [{ inputTokens, outputTokens } = { inputTokens: 0, outputTokens: 0 }] =
      transactions;
    for (const count of [inputTokens, outputTokens]) {
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(1_000);
    }
  });

  test("whose error unpacks to endless megabytes is not read to its end", async () => {
    // random text, so that the packed bytes are all needed
    const error = gzipSync(randomBytes(2 * 1024 * 1024).toString("base64"));
    const headers = { "content-encoding": "gzip" };
    const { ask } = await completionServer({
      kind,
      wire,
      replies: [{ status: 400, headers, body: error, unended: true }],
    });
    const response = await ask();
    expect([response.status, await response.json()]).toEqual([
      502,
      expect.objectContaining({ code: "provider_refused_request" }),
    ]);
  });

  test("whose call has arguments nested too deep fails", async () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 150; level += 1) deep = { deep };
    const calls = [{ id: "toolcall0", name: "weather", arguments: deep }];
    const { ask } = await completionServer({
      kind,
      wire,
      replies: [{ steps: [{ text: "Start" }, { pauseMs: 30 }, { calls }] }],
    });
    const events = await lines(await ask());
    expect(events.at(-1)).toMatchObject({ type: "error", code: "provider_invalid" });
  });

  test("that sends only keep-alive bytes is ended by the timeout", async () => {
    const awake = Array.from({ length: 100 }, (): Step[] => [
      AWAKE[wire],
      { pauseMs: 50 },
    ]).flat();
    const { ask } = await completionServer({
      kind,
      wire,
      timeoutMs: 1_500,
      replies: [{ steps: [{ text: "Start" }, ...awake] }],
    });
    const events = await lines(await ask());
    expect([textOf(events), events.at(-1)]).toEqual([
      "Start",
      expect.objectContaining({ code: "provider_timeout" }),
    ]);
  });

  test("whose reply does not end is ended by the total timeout", async () => {
    const drip = Array.from({ length: 400 }, (): Step[] => [
      { text: "x" },
      { pauseMs: 20 },
    ]).flat();
    const { ask, transactions } = await completionServer({
      kind,
      wire,
      replyTimeoutMs: 1_500,
      replies: [{ steps: drip }],
    });
    const events = await lines(await ask());
    expect(events.at(-1)).toMatchObject({ type: "error", code: "reply_timeout" });
    expect(textOf(events)).toMatch(/^x+$/);
    expect(transactions).toMatchObject([{ finishReason: "error", estimated: true }]);
  });

  test("separates reasoning from text", async () => {
    const { ask } = await completionServer({
      kind,
      wire,
      replies: [{ steps: [{ reasoning: "Hm, " }, { reasoning: "so" }, { text: "42" }] }],
    });
    const events = await lines(await ask());
    const reasoning = events
      .map(({ type, delta }) => (type === "reasoning_delta" ? delta : ""))
      .join("");
    expect([reasoning, textOf(events), events.at(-1)?.["type"]]).toEqual([
      "Hm, so",
      "42",
      "done",
    ]);
  });

  test("receives an image by its bytes and by its address", async () => {
    const pictures = createServer((request, response) => {
      if (request.url === "/moved")
        return void response.writeHead(302, { location: "/cat.png" }).end();
      response
        .writeHead(200, {
          "content-type": request.url === "/page" ? "text/html" : "image/png",
        })
        .end("a cat");
    });
    await new Promise<void>((resolve) => pictures.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`; // it listens on TCP
    try {
      const { ask, provider } = await completionServer({
        kind,
        wire,
        replies: [{ steps: [{ text: "A cat" }] }],
      });
      const about = (part: object) => ({
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What?" },
              { type: "image", mediaType: "image/png", ...part },
            ],
          },
        ],
      });
      expect(textOf(await lines(await ask(about({ data: "aW5saW5l" }))))).toBe("A cat");
      expect(textOf(await lines(await ask(about({ url: `${origin}/moved` }))))).toBe(
        "A cat",
      );
      const [inline, named] = provider.requests.map(({ body }) => JSON.stringify(body));
      expect(inline).toContain("aW5saW5l");
      const takesAddresses = !["ollama", "google", "bedrock"].includes(kind);
      expect(named).toContain(
        takesAddresses ? `${origin}/moved` : Buffer.from("a cat").toString("base64"),
      );
      if (takesAddresses) return;
      for (const url of [
        `${origin}/page`,
        "http://127.0.0.1:1/x.png",
        "http://169.254.169.254/latest",
      ]) {
        const response = await ask(about({ url }));
        const { code } = (await response.json()) as { code: string }; // errors have one
        expect([response.status, code]).toEqual([400, "image_unusable"]);
      }
      expect(provider.requests).toHaveLength(2);
    } finally {
      pictures.close();
    }
  });
});
