import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  MAX_BYTES,
  named,
  type ParserServer,
  startParserServer,
} from "./support/parser-server.ts";

let parser: ParserServer;
beforeAll(async () => {
  parser = await startParserServer();
});
afterAll(() => parser[Symbol.asyncDispose]());
beforeEach(() => parser.reset());

test("ten files a minute are parsed at once and thirty in the background; then the answer says when to try again", async () => {
  await parser.changePerson();
  const many = await Promise.all(Array.from({ length: 11 }, () => parser.parse("text")));
  expect(many.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    429,
  ]);
  const refused = many.find(({ status }) => status === 429);
  expect([Number(refused?.headers.get("retry-after")) > 0, refused?.body.code]).toEqual([
    true,
    "rate_limited",
  ]);
  const jobs = await Promise.all(Array.from({ length: 31 }, () => parser.submit("text")));
  expect(jobs.filter(({ status }) => status === 429)).toHaveLength(1);
});

test("the limit of a service applies whichever users it names", async () => {
  const answers = await Promise.all(
    Array.from({ length: 11 }, (_, n) =>
      fetch(`${parser.parlance.internalUrl}/api/v1/parser/parse?user_id=user-${n}`, {
        method: "POST",
        headers: {
          ...named("a.md"),
          "content-type": "application/octet-stream",
        },
        body: "text",
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    429,
  ]);
});

test("probes, health and information are available", async () => {
  const get = async (path: string) => {
    const response = await parser.parlance.request(path, { token: parser.token() });
    return {
      status: response.status,
      body: (await response.json()) as Record<string, Record<string, unknown>>,
    };
  };
  for (const path of ["/health/", "/health/healthz", "/health/liveness"])
    expect(await get(path)).toEqual({ status: 200, body: { status: "ok" } });
  for (const path of ["/health/readiness", "/health/readyz", "/health/detailed"])
    expect(Object.keys((await get(path)).body["checks"] ?? {})).toEqual([
      "memory",
      "disk",
      "parsers",
      "queue",
    ]);
  expect((await get("/api/v1/parser/health")).body["backends"]).toMatchObject({
    document_intelligence: { status: "ok" },
    pdf_fallback: { status: "ok" },
    optional_parser_one: {
      status: "absent",
      detail: "OPTIONAL_PARSER_ONE_URL is not set",
      code: "setting_missing",
      params: { names: "OPTIONAL_PARSER_ONE_URL" },
    },
  });
  const { body } = await get("/api/v1/parser/info");
  expect(body).toMatchObject({
    default: "document_intelligence",
    ocr: [
      { key: "ocr:model", available: false },
      { key: "ocr:tesseract", available: true },
    ],
    captions: { available: true },
    limits: { maxBytes: MAX_BYTES, parsesPerMinute: 10, jobsPerMinute: 30 },
  });
});
