import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadContracts } from "../src/server/load-contracts.ts";

/** What errors tell their readers. Their German sentences: web/src/texts/errors.test.ts. */

const CALL =
  /new (?:BadRequest|Unauthorized|Forbidden|NotFound|Conflict|TooLarge|UnsupportedType|TooManyRequests|BadGateway|Unavailable|GatewayTimeout|ApiError|ProviderFailure)\(\s*(?:\d+,\s*)?"(\w+)",\s*((?:(?:"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*\+?\s*)+)[,)]/g;
const BETWEEN_PARTS = /["`]\s*\+\s*["`]/g;
/** Verbs that tell readers what to do, and what says it in other words. */
const ADVICE =
  /\b(?:Acquire|Add|Allow|Approve|Ask|Attach|Call|Change|Check|Choose|Close|Connect|Continue|Convert|Copy|Correct|Create|Delete|Disable|Divide|Do|Embed|Enable|End|Enter|Export|GET|Give|Install|Leave|Load|Look|Make|Move|Name|Nest|POST|Percent-encode|Raise|Read|Refresh|Register|Remove|Rename|Restart|Restore|Review|Revoke|Run|Save|Send|Set|Show|Sign|Split|Start|Try|Update|Upload|Use|Wait|Watch)\b|\b(?:must|See details|can run it)\b|[:;,] (?:ask|choose|let|run|send|set) |\$\{(?:why|when|advice|ADVICE|task\.advice|(?:first|issue)\?\.message)\}/;
/** The client is gone, or a trace has it beside the advice of another error. */
const UNREAD =
  /^(?:client_left|request_cancelled|parser_(?!crashed)\w+|file_refused|ocr_failed)$/;
const PATH = /\b(?:GET|POST|PATCH|PUT|DELETE) (\/[\w/:.-]*\w)/g;

const errors = globSync("src/**/*.ts")
  .filter((file) => !file.endsWith(".test.ts"))
  .flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(CALL)].map(([, code = "", sentence = ""]) => ({
      code,
      sentence: sentence.replace(BETWEEN_PARTS, ""),
    })),
  );

test("every error says what its reader can do", () => {
  expect(errors.length).toBeGreaterThan(300);
  const silent = errors.filter(
    ({ code, sentence }) => !UNREAD.test(code) && !ADVICE.test(sentence),
  );
  expect(silent).toEqual([]);
});

test("every path that an error names is one of a route", async () => {
  const contracts = await loadContracts();
  const routes = contracts.flatMap(({ contract }) => Object.values(contract));
  const known = [...routes.map(({ path }) => path), "/docs"];
  const named = errors.flatMap(({ sentence }) =>
    [...sentence.matchAll(PATH)].map(([, path = ""]) => path),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !known.includes(path))).toEqual([]);
});
