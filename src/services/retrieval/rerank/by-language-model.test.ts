import { expect, test } from "vitest";
import type { CompletionRequest } from "../../completion/contract.ts";
import { languageModelJudge } from "./by-language-model.ts";

test("a language model scores passages; text around its JSON, and missing or invented ones, are ignored", async () => {
  const asked: CompletionRequest[] = [];
  const judge = (content: string) =>
    languageModelJudge({
      core: undefined,
      model: "m",
      async completion(request) {
        asked.push((await request.json()) as CompletionRequest);
        const message = {
          type: "message",
          content,
          toolCalls: [],
          finishReason: "stop",
          usage: { inputTokens: 1, outputTokens: 1 },
        };
        return new Response(`${JSON.stringify(message)}\n`, {
          headers: { "content-type": "application/x-ndjson" },
        });
      },
    })("When?", ["never", "in May", "no"], undefined, new AbortController().signal);
  const fenced =
    'Here: ```json\n{"scores": [{"passage": 2, "score": 9}, {"passage": 9, "score": 10}, {"passage": 1, "score": 1}]}\n```';
  expect(await judge(fenced)).toMatchObject({
    scores: [
      { index: 1, score: 0.9 },
      { index: 0, score: 0.1 },
      { index: 2, score: 0 },
    ],
    warning: { code: "reranker_incomplete" },
  });
  expect(JSON.stringify(asked[0]?.messages)).toContain("[2] in May");
  // the completion service would refuse fenced JSON
  expect(asked[0]).not.toHaveProperty("responseFormat");
  expect(await judge("I would rather not.")).toHaveProperty("failure");
});
