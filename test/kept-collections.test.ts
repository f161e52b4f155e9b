import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/**
 * What a process keeps for longer than one piece of work must have a bound, which docs/limits.md
 * states. Collections are found by how they are written: empty at first, and filled by a function
 * that outlives the one that made them.
 */

const MADE = String.raw`(?:: .+)? = (?:new (?:Map|Set)\b.*\(\);?$|\[\];)`;
const AT_TOP = new RegExp(String.raw`^(?:export )?(?:const|let) (\w+)${MADE}`);
const FIELD = new RegExp(String.raw`^ {2}(?:private |readonly |static )*(#?\w+)${MADE}`);
const LOCAL = new RegExp(String.raw`^( +)(?:const|let) (\w+)${MADE}`);
const CONTROL = /^\s*(?:for|if|while|switch|else|try|catch|\} else|\} catch|do)\b/;
/** A function that the outer one calls itself, before it returns. */
const CALLBACK =
  /\.(?:map|forEach|flatMap|filter|reduce|some|every|find|toSorted|replace|replaceAll|tx|sort)\(/;
const OPENS_FUNCTION =
  /=> |=> *[[({]?$|^\s*(?:async |get |static )*\*?#?\w+\(.*\{$|function/;

const indentOf = (line: string) => line.length - line.trimStart().length;

/** Whether a later function fills it: a line that does stands in a function inside of its scope. */
function isFilledLater(lines: readonly string[], at: number, name: string): boolean {
  const depth = indentOf(lines[at] ?? "");
  // or it is passed to a function that does
  const passed = /cache|declared/.test(name) ? "|[,)]" : "";
  const fills = new RegExp(
    String.raw`(?<![\w.])${name}(?:\.(?:set|add|push|unshift)\(| = ${passed})`,
  );
  for (let line = at + 1; line < lines.length; line += 1) {
    const text = lines[line] ?? "";
    if (text.trim() !== "" && indentOf(text) < depth) return false;
    if (fills.test(text) && isInFunction(lines, line, { from: at, depth, name }))
      return true;
  }
  return false;
}

function isInFunction(
  lines: readonly string[],
  line: number,
  { from, depth, name }: { from: number; depth: number; name: string },
): boolean {
  const own = lines[line] ?? "";
  let isInside = own.includes("=> ") && !CALLBACK.test(own.split(name)[0] ?? "");
  let indent = indentOf(own);
  for (let above = line - 1; above > from && indent > depth; above -= 1) {
    const text = lines[above] ?? "";
    if (text.trim() === "" || indentOf(text) >= indent) continue;
    indent = indentOf(text);
    if (CONTROL.test(text)) continue;
    if (CALLBACK.test(text)) return false;
    if (OPENS_FUNCTION.test(text)) isInside = true;
  }
  return isInside;
}

/** `path/of/file.ts name` of each collection that outlives the function or module that made it. */
async function findKept(): Promise<string[]> {
  const kept: string[] = [];
  for await (const file of glob("src/**/*.ts")) {
    if (/\.test\.ts$|\/testing\/|^src\/commands\//.test(file)) continue;
    const lines = (await readFile(file, "utf8")).split("\n");
    let isClass = false;
    for (const [at, line] of lines.entries()) {
      if (/^[a-z]/.test(line) && !line.startsWith("import"))
        isClass = /^(?:export )?(?:abstract )?class /.test(line);
      const top = AT_TOP.exec(line)?.[1] ?? (isClass ? FIELD.exec(line)?.[1] : undefined);
      const local = LOCAL.exec(line)?.[2];
      const name =
        top ?? (local !== undefined && isFilledLater(lines, at, local) ? local : undefined);
      if (name !== undefined) kept.push(`${file.replace(/^src\//, "")} ${name}`);
    }
  }
  return kept.toSorted();
}

/** They live as long as a request, a reply, a document or a message, and have its limits. */
const OF_ONE_WORK: Readonly<Record<string, readonly string[]>> = {
  "platform/db/delete-all.ts": ["errors", "failed"],
  "platform/files/s3-client.ts": ["objects"],
  "platform/db/serve-protocol.ts": ["#rest"],
  "platform/http/joined-text.ts": ["#pieces"],
  "platform/http/openapi-shared.ts": ["#names", "#counts", "#definitions"],
  "platform/http/read-upload.ts": ["storing"],
  "platform/in-turn/key-turns.ts": ["#tried"],
  "platform/queue/rabbitmq/envelope.ts": ["counts"],
  "server/events/follow-changes.ts": ["pending"],
  "services/agent-loop/contract-transcript.ts": [
    "#labels",
    "#sources",
    "#warnings",
    "waiting",
  ],
  "services/agent-loop/find-tools.ts": ["offered"],
  "services/agent-loop/remember-tools.ts": ["known", "tools"],
  "services/agent-loop/render-result.ts": ["files"],
  "services/automations/check-agents.ts": ["visited"],
  "services/automations/schedules/start-runs.ts": ["refusals"],
  "services/completion/ai-sdk/ai-sdk-client.ts": ["#calls", "#thoughts"],
  "services/completion/media/event-answer.ts": ["found", "last"],
  "services/completion/openai-client/collect-state.ts": ["#blocks", "#details"],
  "services/completion/openai-client/collect-tool-calls.ts": ["#calls"],
  "services/completion/openai-client/event-lines.ts": ["#lines"],
  "services/completion/tool-images.ts": ["images", "sent"],
  "services/core/conversations/read-thread.ts": ["#children"],
  "services/core/given-files/given-files.ts": ["labels"],
  "services/core/openai-api/responses/in-conversation.ts": ["documents"],
  "services/core/sharing.ts": ["names"],
  "services/core/sources/check-citations.ts": ["cited"],
  "services/documents/lines-of.ts": ["lines"],
  "services/documents/openai-api/attach-files.ts": ["refused"],
  "services/embedding/chunking/cut-text.ts": ["chunks", "small"],
  "services/embedding/chunking/places.ts": ["known", "starts"],
  "services/embedding/chunking/recursive.ts": ["chunks"],
  "services/embedding/contract-terms.ts": ["joined"],
  "services/embedding/index/text-analysis.ts": ["positions"],
  "services/embedding/models/embed-in-turn.ts": ["vectors"],
  "services/integrations/providers/langflow/read-run.ts": ["#messages"],
  "services/parser/caption-images.ts": ["captions", "failures"],
  "services/parser/ocr/read-pictures.ts": ["failures", "texts"],
  "services/parser/ocr/tesseract.ts": ["chunks"],
  "services/parser/tables/prepare-tables.ts": ["sheets"],
  "services/parser/tables/read-select.ts": ["called", "names"],
  "services/retrieval/text-search.ts": ["known"],
  "services/retrieval/evaluation/evaluate.ts": ["all", "missed", "warnings"],
  "services/retrieval/rerank/by-cross-encoder.ts": ["judged"],
  "services/retrieval/scope.ts": ["ids"],
  "services/retrieval/vector-index/vectors-in-memory.ts": ["kept"],
  // large files of one session of code, which its memory bounds
  "services/sandbox/engines/limit-pyodide-files.ts": ["large"],
  "services/sandbox/engines/to-script.ts": ["changes"],
  "services/sandbox/engines/written-files.ts": ["#seen", "left"],
  "services/sandbox/run-code.ts": ["written"],
  "services/tool-gateway/call-tool.ts": ["chunks"],
  // one line of a program, which ends when that is too long
  "services/tool-gateway/commands/command-process.ts": ["parts"],
  "services/tool-gateway/param-headers.ts": ["found", "names"],
  // of one call, which ends where the client does not read them
  "services/tool-gateway/quick-call.ts": ["#unread"],
  "services/tool-gateway/read-messages.ts": ["#data", "#unfinishedLine"],
  "services/tool-gateway/registry.ts": ["#ownNames", "#servers", "clashes", "entries"],
};

async function listDocumented(): Promise<string[]> {
  const page = await readFile("docs/limits.md", "utf8");
  const [, section = ""] = page.split("## What a process keeps in memory");
  return [...section.matchAll(/^\| `([\w/.-]+\.ts)` \| (`[#\w`, ]+`) \|/gm)].flatMap(
    ([, file = "", names = ""]) =>
      [...names.matchAll(/[#\w]+/g)].map(([name]) => `${file} ${name}`),
  );
}

test("every collection that a process keeps has its bound in docs/limits.md", async () => {
  const passing = Object.entries(OF_ONE_WORK).flatMap(([file, names]) =>
    names.map((name) => `${file} ${name}`),
  );
  const kept = await findKept();

  const documented = await listDocumented();
  expect(documented.length).toBeGreaterThan(40);
  expect([...new Set([...documented, ...passing])].toSorted()).toEqual([...new Set(kept)]);
});
