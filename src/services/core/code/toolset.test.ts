import { afterAll, beforeAll, expect, test } from "vitest";
import { coreDatabase } from "../../../../test/support/core-database.ts";
import type { Database } from "../../../platform/db/database.ts";
import { Unavailable } from "../../../platform/http/errors.ts";
import { callPlatformTool, offerPlatformTools } from "../tools/platform-tools.ts";
import { openToolSession } from "../tools/tool-sessions.ts";
import type { ToolDeps } from "../tools/toolset.ts";
import type { Code, RanCode } from "./code.ts";

let db: Database;
beforeAll(async () => {
  db = await coreDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const { signal } = new AbortController();
const conversationId = crypto.randomUUID();
const aRun = (more: Partial<RanCode> = {}): RanCode => ({
  output: [],
  isLost: false,
  left: [],
  isNew: false,
  interpreter: "Python 3",
  durationMs: 1,
  written: [],
  given: [],
  ...more,
});
/** Of a code runner these tests use what they give. */
const aCode = (more: Partial<Code>) => ({ lacks: async () => undefined, ...more }) as Code;

async function call(ran: Partial<RanCode>) {
  const definition = {
    userId: "ada",
    conversationId,
    tools: ["run_python"],
    flowSession: "s",
    contextWindow: 8_000,
  };
  const { id } = await openToolSession(db, definition, []);
  const code = aCode({ run: async () => aRun(ran) });
  const asked = { name: "run_python", arguments: { code: "1" } };
  return callPlatformTool({ db, code } as ToolDeps, id, asked, signal);
}

test("code is offered in conversations alone, and never waits for a decision", async () => {
  const run = { names: ["run_python", "run_javascript"], userId: "ada" };
  const code = aCode({});
  const offer = await offerPlatformTools({ code }, { ...run, conversationId }, signal);
  expect(offer.tools.map(({ name, effect }) => [name, effect])).toEqual([
    ["run_python", "additive"],
    ["run_javascript", "additive"],
  ]);
  expect(offer.tools[0]?.annotations).toMatchObject({ openWorldHint: false });
  expect((await offerPlatformTools({ code }, run, signal)).tools).toEqual([]);
});

test("where code cannot be run the model does not get the tool, and the reason is named", async () => {
  const lack = new Unavailable("sandbox_not_isolated", "Install bubblewrap.");
  const run = { names: ["run_python"], userId: "ada", conversationId };
  const offers = [aCode({ lacks: async () => lack }), undefined].map((code) =>
    offerPlatformTools({ code }, run, signal),
  );
  const [isolated, absent] = await Promise.all(offers);
  expect(isolated?.tools).toEqual([]);
  expect(isolated?.lacking).toEqual([lack]);
  expect(absent?.lacking.map(({ code }) => code)).toEqual(["code_unavailable"]);
});

test("a long output reaches the model without its middle", async () => {
  const text = `begin ${"x".repeat(90_000)} end`;
  const { content } = await call({ output: [{ stream: "stdout", text }] });
  expect(content.length).toBeLessThan(31_000);
  expect(content).toMatch(/^begin /);
  expect(content).toMatch(/ end$/);
  expect(content).toContain("characters left out");
});

test.each([
  ["time", "60 seconds of processor time"],
  ["waiting", "120 seconds"],
  ["memory", "512 MB of memory"],
  ["output", "100000 characters"],
  ["crash", "the interpreter crashed"],
] as const)("says in words that code ended by its %s", async (ending, words) => {
  const output = [{ stream: "stdout" as const, text: "so far\n" }];
  const { content, isError } = await call({ ending, isLost: true, output });
  expect(isError).toBe(true);
  expect(content).toMatch(/^so far\n\[Ended: /);
  expect(content).toContain(words);
  expect(content).toContain("variables are lost");
});

test("says when the session does not go on although the code has ended well", async () => {
  const { content, isError } = await call({ isLost: true });
  expect(isError).toBe(false);
  expect(content).toBe("[Its variables are lost, files of earlier calls are kept.]");
});

test("names what it wrote, what is not kept and why", async () => {
  const { content } = await call({
    left: [{ name: "passwd", reason: "link" }],
    isNew: true,
    given: ["a.csv"],
  });
  expect(content).toBe(
    "[Not kept: passwd (a link)]\n[New session of Python 3: no variables of earlier calls. Files here: a.csv.]",
  );
  expect((await call({})).content).toBe("[It printed nothing.]");
});
