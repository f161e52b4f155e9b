import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { documentNotFound } from "../contract-not-found.ts";
import type { StoredDocument } from "../contract-stored.ts";
import {
  DEFAULT_PURPOSE,
  type FileObject,
  MAX_FILES_PER_PAGE,
  type Purpose,
  PURPOSES,
} from "./contract-files.ts";
import { type Cursor, fileId } from "./contract-ids.ts";
import { IS_DOCUMENT } from "../store.ts";
import { toPage, toSeconds, toSql } from "./cursor.ts";

interface Row extends Pick<
  StoredDocument,
  "id" | "fileName" | "size" | "status" | "error"
> {
  createdAt: Date;
  purpose: Purpose;
}
const PURPOSE = sql`coalesce(nullif(purpose, 'attachment'), ${DEFAULT_PURPOSE})`;
const COLUMNS = sql`id, file_name as "fileName", size::float8 as size, status, error,
  created_at as "createdAt", ${PURPOSE} as purpose`;

/** A page of the files of an owner. */
export async function listFiles(
  db: Database,
  ownerId: string,
  { purpose, ...asked }: Cursor & { purpose?: Purpose | undefined },
) {
  const cursor = { ...asked, limit: Math.min(asked.limit, MAX_FILES_PER_PAGE) };
  const { where, limit, direction } = toSql(cursor, sql`id`);
  const rows = await db.query<Row>(sql`select ${COLUMNS} from documents.documents
    where owner_id = ${ownerId} and ${IS_DOCUMENT} and ${where}
      and (${purpose ?? null}::text is null or ${PURPOSE} = ${purpose ?? null})
    order by id ${direction} limit ${limit}`);
  return toPage(cursor, rows, toFile);
}

/** @throws NotFound `document_not_found`. */
export async function readFile(db: Database, id: string): Promise<FileObject> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from documents.documents where id = ${id}`,
  );
  if (!row) throw documentNotFound();
  return toFile(row);
}

/**
 * Reads the fields of an upload, once all have arrived.
 * @throws BadRequest `file_field_refused` for another field, or another purpose.
 */
export function readPurpose(fields: Readonly<Record<string, string>>): Purpose {
  const purpose = PURPOSES.find((known) => known === fields["purpose"]);
  if (!purpose) throw refused("purpose", `Send one of ${PURPOSES.join(", ")}.`);
  const other = Object.keys(fields).find((name) => name !== "purpose");
  if (other !== undefined) throw refused(other, "Leave it out.");
  return purpose;
}

function refused(field: string, advice: string): BadRequest {
  return new BadRequest(
    "file_field_refused",
    `The field "${field}" is missing, or has a value that is not honoured here. ${advice}`,
    { params: { field } },
  );
}

function toFile({
  id,
  fileName,
  size,
  status,
  error,
  createdAt,
  purpose,
}: Row): FileObject {
  return {
    id: fileId(id),
    object: "file",
    bytes: size,
    created_at: toSeconds(createdAt),
    filename: fileName,
    purpose,
    status: STATUS[status] ?? "uploaded",
    ...(error && status === "FAILED" && { status_details: error.message }),
  };
}

const STATUS: Partial<Record<StoredDocument["status"], FileObject["status"]>> = {
  PROCESSED: "processed",
  FAILED: "error",
};
