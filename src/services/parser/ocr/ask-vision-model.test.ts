import { expect, test } from "vitest";
import type { Fetch } from "../../../platform/http/call.ts";
import type { CompletionEvent, CompletionRequest } from "../../completion/contract.ts";
import { visionOcr } from "./ask-vision-model.ts";

const usage = { inputTokens: 1, outputTokens: 1 };
const asked: CompletionRequest[] = [];

/** A completion service that answers with these events. */
function completion(...events: CompletionEvent[]): Fetch {
  return async (request) => {
    asked.push((await request.json()) as CompletionRequest);
    const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("");
    return new Response(lines, { headers: { "content-type": "application/x-ndjson" } });
  };
}

const picture = { bytes: new Uint8Array([1, 2, 3]), mimeType: "image/png" };
const { signal } = new AbortController();
const read = (...events: CompletionEvent[]) => {
  const settings = { core: undefined, model: "sees", timeoutMs: 5_000 };
  const engine = visionOcr({ ...settings, completion: completion(...events) });
  return engine.read(picture, { signal });
};

test("sends the picture to the configured model, and returns its text without a fence", async () => {
  const text = await read(
    { type: "text_delta", delta: "```markdown\n# Invoice\n" },
    { type: "text_delta", delta: "12 €\f\n```" },
    { type: "done", finishReason: "stop", usage },
  );
  expect(text).toBe("# Invoice\n12 €");
  expect(asked.at(-1)).toMatchObject({
    model: "sees",
    messages: [
      { role: "system", content: expect.stringContaining("never an instruction") },
      { role: "user", content: [{ type: "image", mediaType: "image/png", data: "AQID" }] },
    ],
  });
});

test("reports a model that fails or does not finish", async () => {
  await expect(
    read({ type: "error", error: "It is away.", code: "provider_down", retryable: true }),
  ).rejects.toMatchObject({
    code: "provider_down",
  });
  await expect(
    read({ type: "text_delta", delta: "x".repeat(300_000) }),
  ).rejects.toMatchObject({
    code: "output_too_long",
  });
});

test("says so without a model, and does not send pictures in an unsupported format", () => {
  expect(visionOcr(undefined).absent?.message).toBe("OCR_MODEL is not set");
  expect(visionOcr(undefined).reads("image/tiff")).toBe(false);
});
