import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errors } from "./errors.de.ts";
import { errorsWithParams } from "./errors-params.de.ts";
import { Failure } from "../api/failure.ts";
import { readErrorText, withoutRequests } from "./errors.ts";
import { fillParams, gapsOf } from "./fill-params.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Thrown errors, those of a class of their own, and failures that are reported or stored. */
const CODES =
  /(?:\bbadGateway|super|new (?:Poison|BadRequest|Unauthorized|Forbidden|NotFound|RequestTimeout|Conflict|TooLarge|UnsupportedType|TooManyRequests|BadGateway|ProviderRefused|Unavailable|GatewayTimeout|FileError|UnreadablePdf))\(\s*"(\w+)"|new (?:ApiError|ProviderFailure)\(\s*\w+,\s*"(\w+)"|\bcode(?::| =) "([a-z]\w*)"(?! in\b)/g;
/** Codes of other things: issues of schemas, log entries, what OAuth and OpenAI say to programs. */
const NO_FAILURES = [
  "custom",
  "unexpected",
  // of a response of OpenAI's API, which no page shows
  "server_error",
  "invalid_client",
  "invalid_client_metadata",
  "invalid_grant",
  "invalid_redirect_uri",
  "invalid_target",
  "logout_token_invalid",
  "registration_closed",
  "server_error",
  "too_many_logouts",
  "unsupported_grant_type",
];

test("every error of the source has a German sentence", () => {
  const codes = sources().flatMap((text) =>
    [...text.matchAll(CODES)].map(
      ([, of, ofApiError, ofLiteral]) => of ?? ofApiError ?? ofLiteral ?? "",
    ),
  );
  expect(codes.length).toBeGreaterThan(400);
  const missing = codes.filter((code) => !(code in errors) && !NO_FAILURES.includes(code));
  expect([...new Set(missing)]).toEqual([]);
});

test("every error has its German sentence in one place", () => {
  const texts = globSync("errors*.de.ts", { cwd: import.meta.dirname })
    .filter((file) => file !== "errors-params.de.ts")
    .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"));
  const codes = texts.flatMap((text) =>
    [...text.matchAll(/^ {2}(\w+):/gm)].map(([, code]) => code),
  );
  expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
});

test("every error with values has a German sentence that uses values it has", () => {
  const given: Record<string, string[]> = {};
  for (const code of limitCodes()) given[code] = ["max"];
  for (const call of errorCalls()) {
    const [, code = ""] = /^(?:\w+\(\s*(?:\w+,\s*)?)?"(\w+)"/.exec(call) ?? [];
    const [, list] = /\bparams: \{([^}]*)\}/.exec(call) ?? [];
    if (!(code in errors) || list === undefined) continue;
    const names = list.split(",").map((entry) => entry.trim().split(":")[0] ?? "");
    (given[code] ??= ["seconds"]).push(...names);
  }
  const codes = Object.keys(errorsWithParams);
  expect(Object.keys(given).toSorted()).toEqual(codes.toSorted());
  for (const [code, sentence] of Object.entries(errorsWithParams))
    expect(given[code], code).toEqual(expect.arrayContaining(gapsOf(sentence)));
});

test("every limit of a number says the number in German", () => {
  const limits = Object.keys(errors).filter((code) => code.startsWith("too_many_"));
  expect(limits).toEqual(expect.arrayContaining(limitCodes()));
  for (const code of limits)
    expect(gapsOf(errorsWithParams[code] ?? ""), code).toContainEqual(
      expect.stringMatching(/^max(Bytes)?$/),
    );
});

/** Every file of the server and its packages but their tests. Programs alone use the client. */
function sources(): string[] {
  return globSync("{src,packages/*/src}/**/*.ts", { cwd: ROOT })
    .filter((file) => !/\.test\.|\/testing\/|^packages\/client\//.test(file))
    .map((file) => readFileSync(join(ROOT, file), "utf8"));
}

/** The codes of what `insertWithinLimit` refuses. */
function limitCodes(): string[] {
  return sources().flatMap((text) =>
    [...text.matchAll(/\bcode: "(\w+)",\n\s*message:/g)].flatMap(([, code = ""]) =>
      text.includes("insertWithinLimit") && code.startsWith("too_many_") ? [code] : [],
    ),
  );
}

/** The text of each `new …(…)` of the source, and of each failure from its code on. */
function errorCalls(): string[] {
  return sources().flatMap((text) => {
    const calls = text.split(/\bnew (?=[A-Z]\w+\()/).slice(1);
    const failures = text.split(/\bcode: (?="[a-z]\w*")/).slice(1);
    return [
      ...calls.map((call) => untilClosed(call, "()", 0)),
      ...failures.map((failure) => untilClosed(failure, "{}", 1)),
    ];
  });
}

/** The text up to the bracket that closes the first one, or one that is open before it. */
function untilClosed(text: string, [open, close]: string, openBefore: 0 | 1): string {
  let depth: number = openBefore;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    if (text[at] === close && (depth -= 1) === 0) return text.slice(0, at + 1);
  }
  return text;
}

test("values are written as sizes, times and isolated names; without one there is no sentence", () => {
  expect(fillParams("{maxBytes}, {max}", { maxBytes: 2_000_000, max: 1_000 })).toBe(
    "2 MB, 1,000",
  );
  expect(fillParams("bis {expiresAt}", { expiresAt: "2026-01-02T03:04:05Z" })).toContain(
    "2026",
  );
  expect(fillParams("{name}", { name: "Beth" })).toBe("\u2068Beth\u2069");
  expect(fillParams("{name}", {})).toBeUndefined();
});

test("people are not told which request lists what they asked for", () => {
  for (const [message, shown] of [
    [
      "You have no such run. GET /api/automations/runs lists yours.",
      "You have no such run.",
    ],
    [
      'The tool "cut" of "a.b" changed. Approve it first: POST /mcp/v1/tools/approve.',
      'The tool "cut" of "a.b" changed.',
    ],
    [
      "There is no such agent that you may see. GET /api/v1/agent?scope=all lists those.",
      "There is no such agent that you may see.",
    ],
    ["Nothing is left. Ask again.", "Nothing is left. Ask again."],
    ["Send it with POST /upload.", "Send it with POST /upload."],
  ] as const)
    expect(withoutRequests(message)).toBe(shown);
});

test("a permission is named by what it lets people do", async () => {
  const params = { permission: "automation:run", name: "reader" };
  const textOf = (code: string, message: string) =>
    readErrorText(new Failure(code, message, { status: 403, params }));
  expect(await textOf("permission_missing", "You lack automation:run.")).toMatch(
    /^You need the permission .“Submit media, and start, repeat or cancel runs”/,
  );
  expect(
    await textOf("scope_missing", 'This key lacks "automation:run". Take another.'),
  ).toBe("This key lacks “Submit media, and start, repeat or cancel runs”. Take another.");
});
