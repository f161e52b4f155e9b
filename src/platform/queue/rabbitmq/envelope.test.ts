import { expect, test } from "vitest";
import { MAX_MESSAGE_BYTES } from "../message.ts";
import { Poison } from "../queue.ts";
import {
  attemptOf,
  nameDeadLetters,
  readBody,
  toBrokerMessage,
  toDeadLetter,
} from "./envelope.ts";

const outgoing = { id: "job-1", tries: 2, delayMs: 0 };
const failure = {
  error: "x".repeat(1_000),
  code: "message_invalid",
  params: { path: "jobId" },
};

test("a message is JSON with its id, its attempts and a short reason", () => {
  const body = { pattern: "jobs", data: { n: 1 } };
  const { envelope, bytes } = toBrokerMessage("jobs", body, { ...outgoing, failure });
  expect(JSON.parse(bytes.toString())).toEqual(body);
  expect(envelope).toMatchObject({
    contentType: "application/json",
    messageId: "job-1",
    durable: true,
    headers: { "x-tries": 2, "x-error": "x".repeat(500) },
  });
  expect(toDeadLetter({ ...envelope, body }, "job-1")).toMatchObject({
    error: "x".repeat(500),
    code: "message_invalid",
    params: { path: "jobId" },
  });
});

test("a body is read whether or not its publisher marked it as JSON", () => {
  const body = { pattern: "jobs", data: { n: 1 } };
  expect(readBody({ body })).toEqual(body);
  expect(readBody({ body: Buffer.from(JSON.stringify(body)) })).toEqual(body);
});

test("a body that is too large, too deep, no JSON or no message is poison", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`);
  const bodies = [
    Buffer.alloc(MAX_MESSAGE_BYTES + 1, " "),
    Buffer.from(`{"data":${"[".repeat(200)}${"]".repeat(200)}}`),
    Buffer.from(`{"data":[${"0,".repeat(30_000)}0]}`),
    { data: "x".repeat(MAX_MESSAGE_BYTES) },
    { data: Array.from({ length: 30_000 }, () => 0) },
    Buffer.from("{"),
    { pattern: "jobs", data: deep },
    { pattern: "jobs" },
    "text",
    undefined,
  ];
  for (const body of bodies) expect(() => readBody({ body })).toThrow(Poison);
});

test("attempts count failures and deliveries that got no answer", () => {
  expect(attemptOf({})).toBe(1);
  expect(attemptOf({ headers: { "x-tries": 2, "x-delivery-count": 3 } })).toBe(6);
  // other systems may send anything
  for (const tries of ["2", -1, Number.MIN_SAFE_INTEGER, 0.5, NaN, Infinity, {}, null])
    expect(attemptOf({ headers: { "x-tries": tries } })).toBe(1);
});

test("a dead letter is listed even when its body cannot be read", () => {
  const headers = { "x-tries": 1, "x-error": "The message is not JSON." };
  const message = { messageId: "job-1", headers, body: Buffer.from("{"), timestamp: 0 };
  expect(toDeadLetter(message, "job-1")).toEqual({
    id: "job-1",
    data: null,
    error: "The message is not JSON.",
    tries: 1,
    diedAt: "1970-01-01T00:00:00.000Z",
  });
});

test("a dead letter is listed whatever another system set in it", () => {
  const body = { data: 1 };
  for (const timestamp of [9e15, 1.8e12, NaN])
    expect(toDeadLetter({ body, timestamp }, "1").diedAt).toMatch(/^20\d\d-/);
  const headers = { "x-tries": "many", "x-error": { no: "text" } };
  expect(toDeadLetter({ body, headers }, "1")).toMatchObject({ tries: 0, data: 1 });
});

test("a dead letter of an earlier version has a sentence alone, and the broker's own has a code", () => {
  const headers = { "x-tries": 1, "x-error": "not yet" };
  const body = { pattern: "jobs", data: {} };
  expect(toDeadLetter({ headers, body }, "1")).not.toHaveProperty("code");
  expect(toDeadLetter({ body }, "1")).toMatchObject({ code: "worker_ended" });
});

test("a dead letter without an id has the same one at each reading, and no other has it", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`);
  const headers = (reads: number) => ({ "x-tries": 1, "x-delivery-count": reads });
  const messages = (reads: number) => [
    { body: { data: 1 }, headers: headers(reads) },
    { body: { data: 1 }, headers: headers(reads) },
    { body: { data: 1 }, headers: headers(reads), timestamp: 7 },
    { body: { data: 1 }, headers: { ...headers(reads), "x-error": "another reason" } },
    { body: { data: 2 } },
    { body: Buffer.from("{") },
    { body: undefined },
    { body: { data: deep } },
    { messageId: "ours", body: { data: 1 } },
  ];
  const first = messages(0).map(nameDeadLetters());
  expect(new Set(first).size).toBe(first.length);
  expect(first.at(-1)).toBe("ours");
  expect(messages(3).map(nameDeadLetters())).toEqual(first);
});
