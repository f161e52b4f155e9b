import { textOf } from "../../ui/form-dialog.tsx";
import type { NewSource } from "./queries.ts";

export type SourceKind = NewSource["kind"];

/** Reads the fields of a new source. */
export function readNewSource(kind: SourceKind, fields: FormData): NewSource {
  const text = (name: string) => textOf(fields, name);
  const common = { name: text("name"), origin: text("origin") || undefined };
  const every = Number(fields.get("every"));
  if (kind === "webhook") return { ...common, kind };
  if (kind === "folder")
    return { ...common, kind, settings: { path: text("path"), every } };
  const settings = {
    endpoint: text("endpoint"),
    region: text("region"),
    bucket: text("bucket"),
    prefix: text("prefix"),
    accessKeyId: text("accessKeyId"),
    secretAccessKey: text("secretAccessKey"),
    every,
  };
  return { ...common, kind, settings };
}
