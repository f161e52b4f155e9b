import { expect, test } from "vitest";
import type { Message } from "./contract.ts";
import { withToolImages } from "./tool-images.ts";

const image = { type: "image" as const, mediaType: "image/png", data: "AAAA" };
const asked: Message = { role: "user", content: "go" };
const called: Message = { role: "assistant", content: "", toolCalls: [] };
const result: Message = {
  role: "tool",
  toolCallId: "1",
  content: [{ type: "text", text: "seen" }, image],
};
const plain: Message = { role: "tool", toolCallId: "1", content: "seen" };
const reader = { sees: true, needsAnswerBetween: false };

test("images of results follow all results of their turn", () => {
  const [, , first, second, shown, ...rest] = withToolImages(
    [asked, called, result, { ...result, toolCallId: "2" }, called],
    reader,
  );
  expect([first, second]).toEqual([plain, { ...plain, toolCallId: "2" }]);
  expect(shown).toMatchObject({ role: "user", content: [{ type: "text" }, image, image] });
  expect(rest).toEqual([called]);
});

test("joins the message of a user that follows, so that roles alternate", () => {
  const sent = withToolImages([called, result, asked], reader);
  expect(sent.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
  expect(sent[2]?.content).toMatchObject([
    { type: "text" },
    image,
    { type: "text", text: "go" },
  ]);
});

test("a model that sees no images reads the text alone", () => {
  const sent = withToolImages([asked, called, result], { ...reader, sees: false });
  expect(sent).toEqual([asked, called, plain]);
});

test("an answer stands between a result and a user where the model needs one", () => {
  const strict = { sees: true, needsAnswerBetween: true };
  for (const messages of [
    [called, result],
    [called, plain, asked],
  ])
    expect(withToolImages(messages, strict).map(({ role }) => role)).toEqual([
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
});
