import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { chooseIsolation } from "../../../../platform/isolation/choose-isolation.ts";
import type { Isolation } from "../../../../platform/isolation/isolation.ts";
import { openLocalFiles } from "../../local-files.ts";
import type { TableDocument } from "../contract.ts";
import { openTables } from "../open-tables.ts";

const TYPES: Record<string, string> = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  parquet: "application/vnd.apache.parquet",
  jsonl: "application/json",
};

/** Tables over files that a test adds, in the isolation of this machine or a given one. */
export async function scratchTables(isolation?: Isolation) {
  const folder = await mkdtemp(join(tmpdir(), "tables-"));
  const files = new Map<string, Uint8Array>();
  const documents: TableDocument[] = [];
  const local = await openLocalFiles(join(folder, "parsing"));
  const tables = await openTables({
    folder: join(folder, "tables"),
    local,
    maxBytes: 200 * 2 ** 20,
    isolation: isolation ?? (await chooseIsolation("auto", local.folder)),
    async readDocument(id) {
      const bytes = files.get(id) ?? new Uint8Array();
      return (async function* () {
        yield bytes;
      })();
    },
    log: pino({ level: "silent" }),
  });
  const { signal } = new AbortController();
  return {
    tables,
    folder,
    documents,
    add(fileName: string, content: string | Uint8Array) {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const id = randomUUID();
      files.set(id, bytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const mimeType = TYPES[fileName.slice(fileName.lastIndexOf(".") + 1)] ?? "";
      documents.push({ id, fileName, mimeType, sha256 });
    },
    describe: () => tables.describe({ userId: "ada", documents }, signal),
    query: (
      sql: string,
      { maxRows = 100, maxBehind = 0, signal: own = signal, userId = "ada" } = {},
    ) => tables.query({ userId, documents, sql, maxRows, maxBehind }, own),
    async [Symbol.asyncDispose]() {
      await tables[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
