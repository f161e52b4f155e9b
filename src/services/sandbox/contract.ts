import { z } from "zod";
import { ErrorEvent, ReportedError } from "../../platform/http/reported-error.ts";
import { route } from "../../platform/http/route.ts";
import { MAX_CODE_CHARACTERS } from "./contract-limits.ts";
import { FileName } from "./contract-file-name.ts";

export const Language = z.enum(["python", "javascript"]);
export type Language = z.output<typeof Language>;

export const MAX_INPUT_FILES = 500;

/** A file that a session has from outside, or from an earlier call. */
const InputFile = z.object({
  name: FileName.describe("Its path in the folder of the session"),
  size: z
    .number()
    .int()
    .min(0)
    .max(2 ** 40),
  version: z.string().min(1).max(100).describe("Another one when the bytes are others"),
  from: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("stored"), key: z.string().min(1).max(300) }),
      z.object({ kind: z.literal("document"), id: z.uuid() }),
    ])
    .describe("Where its bytes are"),
});
export type InputFile = z.output<typeof InputFile>;

const WrittenFile = z.object({
  name: z.string(),
  size: z.number().int(),
  sha256: z.string(),
  mediaType: z.string(),
  key: z.string().describe("Where its bytes are stored"),
});
export type WrittenFile = z.output<typeof WrittenFile>;

const Printed = z.object({ stream: z.enum(["stdout", "stderr"]), text: z.string() });
export type Printed = z.output<typeof Printed>;

export const CodeResult = z.object({
  output: z.array(Printed),
  error: z
    .string()
    .optional()
    .describe("What went wrong in the code, as the interpreter says it"),
  ending: z
    .enum(["time", "waiting", "memory", "output", "crash"])
    .optional()
    .describe("Why the call ended before the code did; what it printed until then is kept"),
  isLost: z.boolean().describe("The session ended with the call: its variables are lost"),
  files: z.array(WrittenFile).describe("What the code wrote or changed"),
  left: z
    .array(z.object({ name: z.string(), reason: z.string() }))
    .describe("What it wrote and is not kept, with the reason"),
  isNew: z
    .boolean()
    .describe("The session began after `previousSession`: earlier variables are lost"),
  session: z.uuid().describe("The `previousSession` of the next call"),
  interpreter: z.string(),
  durationMs: z.number().int(),
});
export type CodeResult = z.output<typeof CodeResult>;

/** What a call prints while it runs, and then its result, which has all of that again. */
export const CodeEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output"), output: z.array(Printed) }),
  z.object({ type: z.literal("done"), result: CodeResult }),
  ErrorEvent,
]);
export type CodeEvent = z.output<typeof CodeEvent>;

/** Between services: what is run is what a permitted tool of a reply asks for. */
export const sandboxContract = {
  sandboxState: route({
    method: "get",
    path: "/api/v1/sandbox",
    access: "service-secret",
    summary: "Whether code can be run here, and if not, why",
    ok: z.object({
      lack: ReportedError.optional(),
      packages: z
        .enum(["standard-library", "installed"])
        .describe(
          "What code may import: that alone, or the packages of SANDBOX_PYTHON or SANDBOX_WHEELS too",
        ),
    }),
  }),
  runCode: route({
    method: "post",
    path: "/api/v1/sandbox/run",
    access: "service-secret",
    changes: "none",
    summary: "Run code in the session of a conversation",
    description:
      "Each language has a session of its own. One call of a session runs at a time. A session has a folder with `files`, and its " +
      "variables while it lives; it ends after ten minutes without a call. What the code prints is " +
      "sent while it runs, up to four times a second, and its result at the end.",
    body: z.object({
      userId: z.string().min(1).max(300),
      conversationId: z.uuid(),
      language: Language.default("python"),
      previousSession: z
        .uuid()
        .optional()
        .describe("That of the call before. One that began earlier is not used again"),
      code: z.string().min(1).max(MAX_CODE_CHARACTERS),
      files: z.array(InputFile).max(MAX_INPUT_FILES).default([]),
      storeUnder: z
        .string()
        .regex(/^[\w-]+(?:\/[\w-]+){0,3}$/, "a key without dots")
        .max(200)
        .describe("The beginning of the keys of files that the code writes: `/0`, `/1`, …"),
    }),
    maxBody: 2 * 1024 * 1024,
    stream: "ndjson",
    events: CodeEvent,
  }),
};
