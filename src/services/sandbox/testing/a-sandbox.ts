import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskFiles } from "../../../platform/files/disk-files.ts";
import type { Isolation } from "../../../platform/isolation/isolation.ts";
import type { InputFile, Language } from "../contract.ts";
import { openSandbox } from "../open-sandbox.ts";
import { runCode } from "../run-code.ts";
import { LIMITS } from "../session-process.ts";

interface Options {
  language?: Language;
  python?: string | undefined;
  wheels?: string;
  isolation?: Isolation;
  /** Where snapshots of the interpreter are. Default: the one that was prepared is used. */
  snapshots?: string;
  size?: number;
  idleMs?: number;
  limits?: Partial<typeof LIMITS>;
}

interface CodeOptions {
  language?: Language;
  userId?: string;
  conversationId?: string;
  files?: InputFile[];
  signal?: AbortSignal;
}

/** A sandbox whose files are on this disk. Without a conversation, calls share one. */
export async function aSandbox({
  language = "python",
  python,
  wheels,
  isolation,
  snapshots,
  size = 8,
  idleMs,
  limits,
}: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  const files = diskFiles(folder);
  const config = {
    SANDBOX_PYTHON: python,
    SANDBOX_WHEELS: wheels,
    SANDBOX_SESSIONS: size,
  };
  const sandbox = openSandbox({
    config,
    folder: snapshots ?? join(folder, "interpreters"),
    prepared: snapshots,
    limits: { ...LIMITS, ...limits },
    ...(isolation && { isolation }),
    ...(idleMs !== undefined && { idleMs }),
  });
  const conversationId = crypto.randomUUID();
  return {
    sandbox,
    files,
    async run(code: string, { files: given = [], signal, ...asked }: CodeOptions = {}) {
      const ran = await runCode(
        { sessions: sandbox.sessions, files, documents: undefined },
        {
          userId: "ada",
          language,
          conversationId,
          ...asked,
          code,
          files: given,
          storeUnder: `code/${crypto.randomUUID()}`,
        },
        signal ?? new AbortController().signal,
      );
      return { ...ran, text: ran.output.map(({ text }) => text).join("") };
    },
    async read(key: string): Promise<string> {
      return new Response(await files.read(key)).text();
    },
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
