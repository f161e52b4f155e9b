import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  completionServer,
  lines,
  textOf,
} from "../../../test/support/completion-server.ts";
import type { Step, Wire } from "../../../test/support/fake-provider/script.ts";
import type { ProviderKind } from "./contract-provider-kinds.ts";
import { CompletionEvent } from "./contract.ts";
import { OpenAiReader } from "./openai-client/read-stream.ts";
import { isStrict } from "./openai-client/request-body.ts";

const SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const RIGHT = { city: "Oslo", degrees: -3 };
const WRONG = { city: "Oslo", degrees: "cold" };
const properties = { city: { type: "string" }, degrees: { type: "number" } };

const inText = (value: object): Step[] => [
  { text: JSON.stringify(value).slice(0, 9) },
  { text: JSON.stringify(value).slice(9) },
];
const inTool = (value: object): Step[] => [
  { calls: [{ id: "call_1", name: "json", arguments: { ...value } }] },
];

interface Native {
  kind: ProviderKind;
  wire: Wire;
  model: string;
  /** What the request must contain for the provider to enforce the schema. */
  asks: object;
  says: (value: object) => Step[];
}
const schemaInOpenAi = (more: object) => ({
  response_format: { type: "json_schema", json_schema: { schema: SCHEMA, ...more } },
});
const NATIVE: Native[] = [
  {
    kind: "openai",
    wire: "openai",
    model: "m1",
    asks: schemaInOpenAi({ strict: true }),
    says: inText,
  },
  {
    kind: "azure",
    wire: "openai",
    model: "m1",
    asks: schemaInOpenAi({ strict: true }),
    says: inText,
  },
  {
    kind: "openai-compatible",
    wire: "openai",
    model: "m1",
    asks: schemaInOpenAi({}),
    says: inText,
  },
  { kind: "ollama", wire: "openai", model: "m1", asks: schemaInOpenAi({}), says: inText },
  { kind: "mistral", wire: "mistral", model: "m1", asks: schemaInOpenAi({}), says: inText },
  {
    kind: "google",
    wire: "google",
    model: "m1",
    asks: {
      generationConfig: {
        responseMimeType: "application/json",
        responseSchema: { type: "object", properties },
      },
    },
    says: inText,
  },
  {
    kind: "anthropic",
    wire: "anthropic",
    model: "claude-sonnet-4-5",
    asks: { output_config: { format: { type: "json_schema", schema: { properties } } } },
    says: inText,
  },
  // models without such a setting must call a tool whose input is the answer
  {
    kind: "anthropic",
    wire: "anthropic",
    model: "m1",
    asks: { tools: [{ name: "json", input_schema: SCHEMA }] },
    says: inTool,
  },
  {
    kind: "bedrock",
    wire: "bedrock",
    model: "anthropic.claude-sonnet-4-5-20250929-v1:0",
    asks: {
      additionalModelRequestFields: {
        output_config: { format: { type: "json_schema", schema: { properties } } },
      },
    },
    says: inText,
  },
  {
    kind: "bedrock",
    wire: "bedrock",
    model: "amazon.nova-pro-v1:0",
    asks: {
      toolConfig: {
        tools: [{ toolSpec: { name: "json", inputSchema: { json: SCHEMA } } }],
        toolChoice: { any: {} },
      },
    },
    says: inTool,
  },
];

describe.each(NATIVE)(
  "a provider of kind $kind with the model $model",
  ({ kind, wire, model, asks, says }) => {
    const finish = says === inTool ? ({ finish: "tool_calls" } as const) : {};
    const parlance = (value: object) =>
      completionServer({
        kind,
        wire,
        model,
        replies: [
          { steps: says(value), ...finish, usage: { inputTokens: 5, outputTokens: 7 } },
        ],
      });

    test("is bound to the schema in its own way, and answers with JSON", async () => {
      const { ask, provider } = await parlance(RIGHT);
      const events = await lines(
        await ask({ responseFormat: { type: "json", schema: SCHEMA } }),
      );
      expect(provider.requests[0]?.body).toMatchObject(asks);
      expect(JSON.parse(textOf(events))).toEqual(RIGHT);
      expect(events.at(-1)).toMatchObject({ type: "done", finishReason: "stop" });
    });

    test("that answers with something else fails, streamed or not, and its usage is recorded", async () => {
      const { ask, transactions } = await parlance(WRONG);
      const responseFormat = { type: "json", schema: SCHEMA };
      const events = await lines(await ask({ responseFormat }));
      expect(JSON.parse(textOf(events))).toEqual(WRONG);
      expect(events.filter(({ type }) => type === "done")).toEqual([]);
      expect(events.at(-1)).toMatchObject({
        type: "error",
        code: "reply_not_in_format",
        retryable: true,
      });
      const whole = await ask({ responseFormat, stream: false });
      expect([whole.status, await whole.json()]).toMatchObject([
        502,
        { code: "reply_not_in_format" },
      ]);
      expect(transactions.map(({ outputTokens }) => outputTokens)).toEqual([7, 7]);
    });
  },
);

describe("an answer in JSON", () => {
  test("without a schema is requested from the model, and checked", async () => {
    const { ask, provider } = await completionServer({
      replies: [{ steps: [{ text: '{"a":1}' }] }, { steps: [{ text: "Sure: {}" }] }],
    });
    const responseFormat = { type: "json" };
    expect((await lines(await ask({ responseFormat }))).at(-1)).toMatchObject({
      type: "done",
    });
    expect(provider.requests[0]?.body).toMatchObject({
      response_format: { type: "json_object" },
      messages: [
        { role: "system", content: expect.stringContaining("JSON") },
        { role: "user" },
      ],
    });
    expect((await lines(await ask({ responseFormat }))).at(-1)).toMatchObject({
      code: "reply_not_in_format",
    });
  });

  test.each([
    ["length", "length"],
    ["content_filter", "content_filter"],
  ] as const)("that ended by %s says so instead", async (finish, finishReason) => {
    const { ask } = await completionServer({
      replies: [{ steps: [{ text: '{"a":' }], finish }],
    });
    expect(
      (await lines(await ask({ responseFormat: { type: "json" } }))).at(-1),
    ).toMatchObject({
      type: "done",
      finishReason,
    });
  });

  test("that the model refuses to give is text with `content_filter`", async () => {
    const refusal = `data: ${JSON.stringify({ choices: [{ delta: { refusal: "I will not." }, finish_reason: null }] })}\n\n`;
    const { ask } = await completionServer({ replies: [{ steps: [{ raw: refusal }] }] });
    const events = await lines(
      await ask({ responseFormat: { type: "json", schema: SCHEMA } }),
    );
    expect([textOf(events), events.at(-1)]).toMatchObject([
      "I will not.",
      { type: "done", finishReason: "content_filter" },
    ]);
  });

  test.each([
    ["is not JSON Schema", { type: "nonsense" }],
    ["points outside", { $ref: "https://example.com/schema.json" }],
  ])("for a schema that %s is refused before the provider is asked", async (_, schema) => {
    const { ask, provider } = await completionServer({ replies: [{}] });
    const response = await ask({ responseFormat: { type: "json", schema } });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: "response_schema_invalid" },
    ]);
    expect(provider.requests).toHaveLength(0);
  });

  test("whose schema has a catastrophic pattern does not block other replies", async () => {
    const schema = { type: "string", pattern: "^(a+)+$" };
    const { ask } = await completionServer({
      replies: [{ steps: [{ text: JSON.stringify(`${"a".repeat(40)}!`) }] }],
    });
    expect(
      (await lines(await ask({ responseFormat: { type: "json", schema } }))).at(-1),
    ).toMatchObject({ type: "done" });
  });

  test.each<[boolean, object]>([
    [true, SCHEMA],
    [
      true,
      {
        ...SCHEMA,
        properties: {
          ...SCHEMA.properties,
          city: { anyOf: [{ type: "string" }, { type: "null" }] },
        },
      },
    ],
    [false, { ...SCHEMA, required: ["city"] }],
    [false, { ...SCHEMA, additionalProperties: true }],
    [
      false,
      {
        ...SCHEMA,
        properties: { ...SCHEMA.properties, city: { type: "string", minLength: 1 } },
      },
    ],
    [
      false,
      {
        ...SCHEMA,
        properties: { ...SCHEMA.properties, city: { type: "object", properties: {} } },
      },
    ],
    [false, { type: "array", items: SCHEMA }],
  ])("is asked for strictly (%s) only where OpenAI takes the schema", (strict, schema) => {
    expect(isStrict({ ...schema })).toBe(strict);
  });
});

test("any JSON chunks, cut anywhere, result in correct events or one failure", () => {
  const field = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue() });
  const call = fc.record(
    {
      index: field(fc.nat(3)),
      id: field(fc.string()),
      function: field(fc.record({ name: fc.string(), arguments: fc.string() })),
    },
    { requiredKeys: [] },
  );
  const part = fc.record({
    type: fc.constantFrom("text", "thinking"),
    text: field(fc.string()),
    thinking: field(fc.constant([{ text: "x" }])),
  });
  const delta = fc.record(
    {
      content: field(
        fc.oneof(fc.string(), fc.constant(null), fc.array(field(part), { maxLength: 2 })),
      ),
      reasoning: field(fc.string()),
      refusal: field(fc.constant(null)),
      tool_calls: field(fc.array(field(call), { maxLength: 2 })),
    },
    { requiredKeys: [] },
  );
  const chunk = fc.record(
    {
      choices: field(
        fc.array(
          field(
            fc.record({
              delta: field(delta),
              finish_reason: field(fc.constantFrom("stop", null)),
            }),
          ),
          {
            maxLength: 2,
          },
        ),
      ),
      usage: field(
        fc.record({ prompt_tokens: field(fc.nat()), completion_tokens: field(fc.nat()) }),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.array(field(chunk), { maxLength: 6 }),
      fc.integer({ min: 1, max: 50 }),
      (chunks, size) => {
        const text = [
          ...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`),
          "data: [DONE]\n\n",
        ].join("");
        const reader = new OpenAiReader();
        const events: CompletionEvent[] = [];
        for (let at = 0; at < text.length && !reader.failure; at += size)
          events.push(...reader.push(text.slice(at, at + size)));
        if (!reader.failure) events.push(...reader.end());
        for (const event of events)
          expect(CompletionEvent.safeParse(event).error).toBeUndefined();
        expect(events.filter(({ type }) => type === "done")).toHaveLength(
          reader.failure ? 0 : 1,
        );
      },
    ),
    { numRuns: 2_000 },
  );
});
