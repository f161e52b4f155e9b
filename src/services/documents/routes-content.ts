import type { ByteRange } from "../../platform/files/byte-range.ts";
import { attachment } from "../../platform/http/attachment.ts";
import { Conflict } from "../../platform/http/errors.ts";
import { offsetOf } from "../../platform/http/page.ts";
import type { Routes } from "../../platform/http/routes.ts";
import { sendFile } from "../../platform/http/send-file.ts";
import { eventStream } from "../../platform/http/stream.ts";
import { documentNotFound } from "./access.ts";
import { listChunks, previewChunks } from "./chunks.ts";
import { documentsContract as contract } from "./contract.ts";
import { requireDocument } from "./find-permitted.ts";
import { followDocument } from "./follow-document.ts";
import { findProcessable } from "./processing-store.ts";
import type { UploadDeps } from "./upload-document.ts";

/** The bytes, text, chunks and events of a document. */
export function contentRoutes(routes: Routes, deps: UploadDeps): Routes {
  const { db, files } = deps;
  return routes
    .on(contract.content, async ({ caller, params, query, request }) => {
      const document = await requireDocument(deps, caller, params.id, "viewer");
      const stored = await findProcessable(db, params.id);
      if (!stored) throw documentNotFound();
      const { fileName, mimeType: mime, size, sha256 } = document;
      const read = (range?: ByteRange) => files.read(stored.storageKey, range);
      const { inline = false } = query;
      return sendFile(request, { fileName, mime, size, etag: `"${sha256}"`, inline, read });
    })
    .on(contract.markdown, async ({ caller, params }) => {
      const { fileName } = await requireDocument(deps, caller, params.id, "viewer");
      const key = (await findProcessable(db, params.id))?.markdownKey;
      if (!key)
        throw new Conflict(
          "not_parsed_yet",
          "The document has not been parsed yet. Check its status and try again.",
        );
      return attachment(await files.read(key), {
        fileName: `${fileName}.md`,
        mime: "text/markdown; charset=utf-8",
      });
    })
    .on(contract.chunks, async ({ caller, params, query: { page, limit } }) => {
      await requireDocument(deps, caller, params.id, "viewer");
      const found = await listChunks(db, params.id, limit, offsetOf({ page, limit }));
      return { ...found, page, limit };
    })
    .on(contract.previewChunks, async ({ caller, params, body, signal }) => {
      await requireDocument(deps, caller, params.id, "viewer");
      return previewChunks(deps, params.id, body, signal);
    })
    .on(contract.events, async ({ caller, params, signal }) => {
      const read = () => requireDocument(deps, caller, params.id, "viewer");
      await read();
      return eventStream(followDocument(db, params.id, read, signal));
    });
}
