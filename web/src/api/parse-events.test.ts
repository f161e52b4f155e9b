import { expect, test } from "vitest";
import { EventParser } from "./parse-events.ts";

const STREAM =
  'id: 1\nevent: text_delta\ndata: {"delta":"Hé"}\n\n: keep-alive\n\nid: 2\r\ndata: a\r\ndata: b\r\n\r\n';

test("events come out the same wherever the network cuts the text", () => {
  const whole = new EventParser().add(STREAM);
  expect(whole).toEqual([
    { type: "text_delta", data: '{"delta":"Hé"}', id: "1" },
    { type: "message", data: "a\nb", id: "2" },
  ]);
  for (let at = 0; at <= STREAM.length; at += 1) {
    const parser = new EventParser();
    expect([...parser.add(STREAM.slice(0, at)), ...parser.add(STREAM.slice(at))]).toEqual(
      whole,
    );
  }
});

test("a comment is no event, and an event without its empty line is not complete", () => {
  const parser = new EventParser();
  expect(parser.add(": hello\n\nevent: done\ndata: {}\n")).toEqual([]);
  expect(parser.add("\n")).toEqual([{ type: "done", data: "{}", id: undefined }]);
});
