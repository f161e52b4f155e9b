import { expect, test } from "vitest";
import { SIGNATURE_HEADER } from "./envelope.ts";
import { createSigner } from "./signature.ts";

const signer = createSigner("secret of the services");
const body = { pattern: "user_deletions_core", data: { userId: "anna", transferTo: null } };
const QUEUE = "user_deletions_core";
const signed = (signature: unknown, messageId?: string) => ({
  headers: { [SIGNATURE_HEADER]: signature },
  ...(messageId !== undefined && { messageId }),
});

test("a message counts as ours in its queue, under its id, as it was sent", () => {
  const right = signer.sign(QUEUE, "1", body);
  const changed = { ...body, data: { userId: "anna", transferTo: "mallory" } };
  expect(signer.isSigned(QUEUE, signed(right, "1"), body)).toBe(true);
  expect(signer.isSigned(QUEUE, signed(right, "1"), changed)).toBe(false);
  expect(signer.isSigned(QUEUE, signed(right, "1"), { ...body, pattern: "x" })).toBe(false);
  expect(signer.isSigned(QUEUE, signed(right, "2"), body)).toBe(false);
  expect(signer.isSigned("other", signed(right, "1"), body)).toBe(false);
});

test("a message without a signature, with another secret's or with anything else is not ours", () => {
  const other = createSigner("another secret").sign(QUEUE, "1", body);
  for (const given of [
    other,
    "",
    "v1=",
    "ß".repeat(46),
    {},
    1,
    null,
    undefined,
    Buffer.from(other),
  ])
    expect(signer.isSigned(QUEUE, signed(given, "1"), body)).toBe(false);
  expect(signer.isSigned(QUEUE, signed(signer.sign(QUEUE, "1", body)), body)).toBe(false);
  expect(signer.isSigned(QUEUE, {}, body)).toBe(false);
  expect(() => createSigner("")).toThrow("no secret");
});
