import sql from "sql-template-tag";
import { z } from "zod";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import { encodeEvent } from "../../../platform/http/stream.ts";
import {
  FOLDER,
  MAX_CALL_MS,
  MAX_CODE_CHARACTERS,
  MAX_FILES,
  MAX_FILES_BYTES,
  MAX_MEMORY_BYTES,
  MAX_OUTPUT_CHARACTERS,
  MAX_PROCESSOR_MS,
} from "../../sandbox/contract-limits.ts";
import type { CodeResult, Printed } from "../../sandbox/contract.ts";
import type { ConversationEvent } from "../replies/contract.ts";
import { LOG_TTL_MS, logName } from "../replies/publish-reply.ts";
import type { ToolSession } from "../tools/tool-sessions.ts";
import {
  defineToolset,
  platformTool,
  type ToolDeps,
  type ToolOutput,
} from "../tools/toolset.ts";
import { type CodeToRun, codeUnavailable, type RanCode } from "./code.ts";
import { toToolFiles } from "./tool-files.ts";

/** Of the output that a model reads; the middle of a longer one is left out. */
const MAX_READ_CHARACTERS = 30_000;
const MAX_LISTED = 50;

const code = z.string().min(1).max(MAX_CODE_CHARACTERS);
const EFFECTS = {
  readOnly: false,
  idempotent: false,
  destructive: false,
  openWorld: false,
} as const;

/** With it a model computes instead of guessing. */
export const codeToolset = defineToolset({
  name: "code",
  title: "Code",
  description: "Runs Python and JavaScript for calculations, files and charts.",
  permission: "code:use",
  tools: [
    platformTool({
      name: "run_python",
      description:
        "Runs Python and returns what it prints, the value of the last line and the files that it " +
        "writes. The conversation's files are in the current folder. Variables stay between calls.",
      input: z.object({
        code: code.describe(
          "Python. What it prints and the value of its last line come back",
        ),
      }),
      effects: EFFECTS,
      run: (deps, session, asked, signal) =>
        runCode(deps, session, { language: "python", ...asked }, signal),
    }),
    platformTool({
      name: "run_javascript",
      description:
        "Runs JavaScript in Node.js, as run_python does Python: with the same files, and variables " +
        "of its own. Modules of Node and files of the folder can be imported, packages cannot.",
      input: z.object({
        code: code.describe(
          "JavaScript. What it prints and the value of its last statement come back. `await` and " +
            "`import` work",
        ),
      }),
      effects: EFFECTS,
      run: (deps, session, asked, signal) =>
        runCode(deps, session, { language: "javascript", ...asked }, signal),
    }),
  ],
  // its session and its files are those of a conversation
  suits: ({ conversationId }) => conversationId !== undefined,
  lacks: async ({ code }, signal) => (code ? code.lacks(signal) : codeUnavailable()),
  instructions:
    "You can run Python with run_python, and JavaScript with run_javascript where that is asked " +
    "for. Compute with them rather than in your head. Attached files " +
    `are in the current folder, ${FOLDER}; files that you write there are shown to the user, who ` +
    "can download them, and pictures (PNG, SVG) are shown at once. There is no network. Python's " +
    "standard library is there; try to import others such as numpy, pandas or matplotlib before you rely " +
    "on them.",
});

async function runCode(
  { code: runner, db, cache }: ToolDeps,
  { userId, conversationId, messageId, callId: toolCallId }: ToolSession,
  asked: Pick<CodeToRun, "language" | "code">,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (!runner || conversationId === undefined) throw codeUnavailable();
  const output =
    cache && messageId !== undefined && toolCallId !== undefined
      ? await showOutput({ db, cache }, { messageId, toolCallId })
      : undefined;
  const ran = await runner.run({ userId, conversationId, ...asked }, signal, output?.show);
  await output?.shown();
  return {
    content: describe(ran),
    isError: ran.error !== undefined || ran.ending !== undefined,
    files: await toToolFiles(runner.files, ran.written),
  };
}

interface Deps {
  db: Database;
  cache: Cache;
}

interface Output {
  show(output: readonly Printed[]): void;
  /** Waits until all of it is in the log, so that the result comes after it. */
  shown(): Promise<void>;
}

interface Shown {
  messageId: string;
  toolCallId: string;
}

/**
 * Shows what a call prints to whoever reads its reply, while it runs: the call knows the reply's
 * log, which any process may add to. What is lost here is in the result.
 */
async function showOutput(
  { db, cache }: Deps,
  { messageId, toolCallId }: Shown,
): Promise<Output | undefined> {
  const [reply] = await db.query<{ segment: number }>(
    sql`select run as segment from core.messages where id = ${messageId}`,
  );
  if (!reply) return undefined;
  const log = logName(messageId, reply.segment);
  let last = Promise.resolve();
  return {
    show(output) {
      const event: ConversationEvent = {
        type: "tool_output",
        toolCallId,
        output: output.map(({ text }) => text).join(""),
      };
      last = last
        .then(async () => {
          await cache.append(log, [encodeEvent(event)], LOG_TTL_MS, { begins: false });
          await cache.publish(log, "");
        })
        // the result has it all again
        .catch(() => {});
    },
    shown: () => last,
  };
}

const WHY_ENDED: Record<NonNullable<CodeResult["ending"]>, string> = {
  time: `it took more than ${MAX_PROCESSOR_MS / 1000} seconds of processor time`,
  waiting: `it took more than ${MAX_CALL_MS / 1000} seconds`,
  memory: `it took more than ${MAX_MEMORY_BYTES / 2 ** 20} MB of memory`,
  output: `it printed more than ${MAX_OUTPUT_CHARACTERS} characters`,
  crash: "the interpreter crashed",
};

const WHY_LEFT: Record<string, string> = {
  link: "a link",
  special: "no regular file",
  name: "its name has characters that names of files must not have",
  number: `more than ${MAX_FILES} files, or too deep in folders`,
  size: `more than ${MAX_FILES_BYTES / 2 ** 20} MB of files`,
};

/** A result as the model reads it. */
function describe(ran: RanCode): string {
  const printed = ran.output.map(({ text }) => text).join("");
  const parts = [shorten(printed.trimEnd())];
  if (ran.error !== undefined) parts.push(ran.error);
  const notes = [
    ran.ending ? `Ended: ${WHY_ENDED[ran.ending]}.` : "",
    ran.isLost ? "Its variables are lost, files of earlier calls are kept." : "",
  ].filter(Boolean);
  if (notes.length > 0) parts.push(`[${notes.join(" ")}]`);
  if (ran.written.length > 0)
    parts.push(`[Wrote: ${list(ran.written.map(({ name }) => name))}]`);
  if (ran.left.length > 0) {
    const left = ran.left.map(
      ({ name, reason }) => `${name} (${WHY_LEFT[reason] ?? reason})`,
    );
    parts.push(`[Not kept: ${list(left)}]`);
  }
  if (ran.isNew) {
    const files = ran.given.length > 0 ? ` Files here: ${list(ran.given)}.` : "";
    parts.push(
      `[New session of ${ran.interpreter}: no variables of earlier calls.${files}]`,
    );
  }
  return parts.filter(Boolean).join("\n") || "[It printed nothing.]";
}

function shorten(text: string): string {
  if (text.length <= MAX_READ_CHARACTERS) return text;
  const head = Math.floor((MAX_READ_CHARACTERS * 2) / 3);
  const tail = MAX_READ_CHARACTERS - head;
  const left = text.length - head - tail;
  return `${text.slice(0, head)}\n[… ${left} characters left out …]\n${text.slice(-tail)}`;
}

function list(names: readonly string[]): string {
  const rest = names.length - MAX_LISTED;
  const shown = names.slice(0, MAX_LISTED).join(", ");
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
