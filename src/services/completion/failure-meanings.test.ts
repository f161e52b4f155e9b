import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { completionServer } from "../../../test/support/completion-server.ts";
import type { Reply } from "../../../test/support/fake-provider/script.ts";
import { BadRequest } from "../../platform/http/errors.ts";
import { mayBeReplaced } from "./ask-models.ts";
import { meaningOf } from "./failure-meanings.ts";
import { statusFailure } from "./provider-failures.ts";
import { createRests } from "./rests.ts";

/** What a call counts as for the health of its provider. */
async function endsOf(replies: Reply[], body: object = {}, timeoutMs = 5_000) {
  const { ask, ended, provider } = await completionServer({ replies, timeoutMs });
  await (await ask(body)).text();
  return { ended, asked: provider.requests.length };
}
const refused = (status: number, message = "no"): Reply => ({
  status,
  body: JSON.stringify({ error: { message } }),
});
const answer: Reply = { steps: [{ text: "Hello" }] };

test("a reply is an answer with a first token", async () => {
  expect((await endsOf([answer])).ended).toEqual(["begun"]);
});

test.each<[string, Reply]>([
  ["rate_limited", { ...refused(429), headers: { "retry-after": "60" } }],
  ["refused", refused(401)],
  ["refused", refused(402)],
  ["timed_out", { silent: true }],
  ["failed", { steps: [{ text: "Hel" }, { cut: true }] }],
])("a call ends as %s", async (how, reply) => {
  expect((await endsOf([reply], {}, 500)).ended).toEqual([how]);
});

test("each attempt at a reply is a call", async () => {
  const { ended } = await endsOf([refused(500), answer]);
  expect(ended).toEqual(["failed", "begun"]);
});

test("a provider that refuses what was asked wrongly has answered", async () => {
  expect((await endsOf([refused(400)])).ended).toEqual(["answered"]);
  const long = refused(400, "the prompt is too long");
  expect((await endsOf([long])).ended).toEqual(["answered"]);
});

test("what our own checks refuse is no call", async () => {
  const responseFormat = { type: "json", schema: { type: "nonsense" } };
  const { ended, asked } = await endsOf([answer], { responseFormat });
  expect([ended, asked]).toEqual([[], 0]);
});

test("a call that is stopped before its first token is none; after it, it was answered", async () => {
  const silent = await completionServer({ replies: [{ silent: true }] });
  const stop = new AbortController();
  const asking = silent.ask({}, { signal: stop.signal }).catch(() => undefined);
  await expect.poll(() => silent.provider.requests.length).toBe(1);
  stop.abort();
  await asking;
  await expect.poll(() => silent.transactions.length).toBe(1);
  expect(silent.ended).toEqual([]);

  const begun = await completionServer({
    replies: [{ steps: [{ text: "Hel" }, { stall: true }] }],
  });
  const leave = new AbortController();
  const response = await begun.ask({}, { signal: leave.signal });
  await response.body?.getReader().read();
  leave.abort();
  await expect.poll(() => begun.transactions.length).toBe(1);
  expect(begun.ended).toEqual(["begun"]);
});

const THROWN =
  /(?:new (?:ApiError|BadGateway|BadRequest|Conflict|Forbidden|GatewayTimeout|NotFound|ProviderFailure|TooLarge|TooManyRequests|Unavailable)|badGateway)\(\s*(?:\d+,\s*)?"(\w+)"/g;
/** Of requests that are refused before a provider is chosen for them. */
const BEFORE_A_PROVIDER = [
  "body_too_large",
  "file_unsupported",
  "form_invalid",
  "label_forbids_provider",
  "model_unknown",
  "response_schema_invalid",
];
/** Of other services, which read the answer to the end. */
const OF_READERS = ["output_too_long"];

test("every failure of a call to a provider says what it means", () => {
  const sources = globSync("src/services/completion/**/*.ts")
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => readFileSync(file, "utf8"));
  const thrown = sources.flatMap((source) =>
    [...source.matchAll(THROWN)].map(([, code = ""]) => code),
  );
  expect(thrown.length).toBeGreaterThan(25);
  const unforeseen = meaningOf({ code: "a defect" });
  const silent = thrown.filter((code) => meaningOf({ code }) === unforeseen);
  expect([...new Set(silent)].toSorted()).toEqual(
    [...BEFORE_A_PROVIDER, ...OF_READERS].toSorted(),
  );
});

test("only the provider's own failures make a model rest, and let any other answer", () => {
  const error = (code: string) => new BadRequest(code, "No.");
  const asked = { hasNext: true };
  const by = { model: "b", name: "B", insteadOf: "a", code: "provider_failed" };
  const fallback = { hasNext: true, answeredBy: by };
  const judge = (code: string) => {
    const rests = createRests(() => 0);
    rests.failed("a", error(code));
    const isResting = rests.reasonOf("a") !== undefined;
    return [
      mayBeReplaced(error(code), asked),
      mayBeReplaced(error(code), fallback),
      isResting,
    ];
  };
  expect(judge("provider_refused_key")).toEqual([true, true, true]);
  expect(judge("provider_failed")).toEqual([true, true, true]);
  expect(judge("provider_without_tools")).toEqual([false, true, false]);
  expect(judge("provider_filtered")).toEqual([false, false, false]);
  expect(judge("reply_timeout")).toEqual([false, false, false]);
  expect(judge("a_defect")).toEqual([false, false, false]);
  expect(mayBeReplaced(new Error("a defect"), fallback)).toBe(false);
});

test("a key is at fault for its credit and its limit, not for a provider that is down", () => {
  const isOfKey = (status: number) => meaningOf(statusFailure(status)).isOfKey ?? false;
  expect([401, 429].map(isOfKey)).toEqual([true, true]);
  expect([400, 404, 500, 503].map(isOfKey)).toEqual([false, false, false, false]);
});
