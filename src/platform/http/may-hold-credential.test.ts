import { expect, test } from "vitest";
import { z } from "zod";
import { mayHoldCredential } from "./may-hold-credential.ts";
import { route } from "./route.ts";

const answering = (ok: z.ZodType) =>
  route({ method: "get", path: "/", access: "public", summary: "A route", ok });

test.each([
  "accessToken",
  "refreshToken",
  "apiKey",
  "key",
  "password",
  "clientSecret",
  "cookie",
])("recognises an answer with the field %s, also within others", (name) => {
  const inner = z.object({ [name]: z.string() });
  expect(mayHoldCredential(answering(inner))).toBe(true);
  expect(mayHoldCredential(answering(z.object({ items: z.array(inner) })))).toBe(true);
});

test("other answers may be compressed", () => {
  const message = z.object({
    id: z.string(),
    content: z.string(),
    keywords: z.array(z.string()),
  });
  expect(mayHoldCredential(answering(message))).toBe(false);
  expect(
    mayHoldCredential(route({ method: "get", path: "/", access: "public", summary: "" })),
  ).toBe(false);
});
