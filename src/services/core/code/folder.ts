import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import { FileName } from "../../sandbox/contract-file-name.ts";
import type { InputFile } from "../../sandbox/contract.ts";
import type { FolderFile } from "./contract.ts";
import { listNewest } from "./stored-files.ts";

const MAX_ATTACHED = 100;

export interface FolderDeps {
  db: Database;
  /** Returns those of the documents that the user may see. */
  describeDocuments(userId: string, ids: readonly string[]): Promise<StoredDocument[]>;
}

type Entry = FolderFile & InputFile;

/**
 * The folder of a conversation, as code of a user sees it: what code wrote, the newest of each
 * name, and the attached documents that the user may see.
 */
export async function listFolder(
  { db, describeDocuments }: FolderDeps,
  userId: string,
  conversationId: string,
): Promise<Entry[]> {
  const stored = await listNewest(db, conversationId);
  const attached = await describeDocuments(userId, await listAttached(db, conversationId));
  const found = new Map<string, Entry>();
  for (const { id, name, size, sha256, mediaType, storageKey, createdAt } of stored)
    found.set(name, {
      id,
      kind: "written",
      name,
      size,
      mediaType,
      createdAt: createdAt.toISOString(),
      version: sha256,
      from: { kind: "stored", key: storageKey },
    });
  for (const { id, fileName, size, sha256, mimeType, createdAt } of attached) {
    const name = freeName(fileName, found);
    if (name)
      found.set(name, {
        id,
        kind: "attached",
        name,
        size,
        mediaType: mimeType,
        createdAt,
        version: sha256,
        from: { kind: "document", id },
      });
  }
  return [...found.values()];
}

async function listAttached(db: Database, conversationId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select file.file_id as id
    from core.messages message join core.message_files file on file.message_id = message.id
    where message.conversation_id = ${conversationId}
    group by file.file_id
    order by max(message.created_at) desc, min(file.position), file.file_id limit ${MAX_ATTACHED}`);
  return rows.map(({ id }) => id);
}

/** A file that code changed is in the place of the attached one. */
function freeName(fileName: string, taken: ReadonlyMap<string, Entry>): string | undefined {
  const plain = fileName.replace(/[\p{Cc}\p{Cf}\p{Cs}\\/]/gu, "_").slice(-200);
  if (!FileName.safeParse(plain).success) return undefined;
  for (let number = 1; number <= MAX_ATTACHED; number += 1) {
    const name = number === 1 ? plain : `${number} ${plain}`;
    const other = taken.get(name);
    if (!other) return name;
    if (other.from.kind === "stored") return undefined;
  }
  return undefined;
}
