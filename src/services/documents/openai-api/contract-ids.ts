import { z } from "zod";

/** Ids of OpenAI's API: those of documents and folders, behind what they are. */

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const idOf = (prefix: string) =>
  z
    .string()
    .max(60)
    .regex(new RegExp(`^(?:${prefix})?${UUID}$`), "no such id is given here")
    .transform((id) => id.replace(prefix, ""));

/** `file-<id of the document>`, or the bare id. */
export const FileId = idOf("file-");
/** `vs_<id of the folder>`, or the bare id. */
export const StoreId = idOf("vs_");

/** An id in a path: what is none belongs to nothing, and is not found. */
const inPath = (prefix: string) =>
  z
    .string()
    .max(1_000)
    .transform((id) => (id.startsWith(prefix) ? id.slice(prefix.length) : id));
export const FileIdInPath = inPath("file-");
export const StoreIdInPath = inPath("vs_");
export const BatchIdInPath = inPath("vsfb_");

export const fileId = (documentId: string) => `file-${documentId}`;
export const storeId = (folderId: string) => `vs_${folderId}`;
export const batchId = (id: string) => `vsfb_${id}`;

const Limit = z.coerce.number().int().min(1);

/** A page of a list, by the id of its neighbour. */
export function cursorQuery(max: number, whole: number) {
  return z.object({
    limit: Limit.max(max).default(whole),
    order: z.enum(["asc", "desc"]).default("desc").describe("By the time of creation"),
  });
}
export interface Cursor {
  limit: number;
  order: "asc" | "desc";
  after?: string | undefined;
  before?: string | undefined;
}

export function cursorPageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    object: z.literal("list"),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  });
}
