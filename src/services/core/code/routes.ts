import type { ByteRange } from "../../../platform/files/byte-range.ts";
import type { Files } from "../../../platform/files/files.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { slicePage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { isShown, sendFile } from "../../../platform/http/send-file.ts";
import type { Labels } from "../labels/labels.ts";
import { ofConversation } from "../labels/read-resources.ts";
import { type AccessDeps, conversationFor } from "../conversations/access.ts";
import { codeContract as contract, type FolderFile } from "./contract.ts";
import { type FolderDeps, listFolder } from "./folder.ts";
import { deleteFile, findFile } from "./stored-files.ts";

interface Deps extends AccessDeps, FolderDeps {
  files: Files;
  labels: Pick<Labels, "refuseExport">;
}

export function codeRoutes(routes: Routes, deps: Deps): Routes {
  const { db, files } = deps;
  routes
    .on(contract.conversationFiles, async ({ caller, params, query }) => {
      const user = userOf(caller);
      await conversationFor(deps, user, params.conversationId, "viewer");
      const found = await listFolder(deps, user.userId, params.conversationId);
      const newest = found.toSorted((one, other) =>
        other.createdAt.localeCompare(one.createdAt),
      );
      return slicePage(query, newest.map(toListed));
    })
    .on(contract.deleteConversationFile, async ({ caller, params }) => {
      await conversationFor(deps, userOf(caller), params.conversationId, "editor");
      if (!(await deleteFile(db, params))) throw fileNotFound();
    });
  return routes.on(
    contract.conversationFile,
    async ({ caller, params, query, request }) => {
      const file = await findFile(db, params.fileId);
      if (!file) throw fileNotFound();
      await conversationFor(deps, userOf(caller), file.conversationId, "viewer").catch(
        (error: unknown) => {
          throw error instanceof NotFound ? fileNotFound() : error;
        },
      );
      const { name, mediaType: mime, size, sha256, storageKey } = file;
      const fileName = name.split("/").at(-1) ?? name;
      const read = (range?: ByteRange) => files.read(storageKey, range);
      const { inline = false } = query;
      // what is shown in the conversation is read, like its text
      if (!(inline && isShown(mime)))
        await deps.labels.refuseExport(
          userOf(caller).userId,
          ofConversation(file.conversationId),
        );
      return sendFile(request, { fileName, mime, size, etag: `"${sha256}"`, inline, read });
    },
  );
}

function toListed({ id, kind, name, mediaType, size, createdAt }: FolderFile): FolderFile {
  return { id, kind, name, mediaType, size, createdAt };
}

function fileNotFound(): NotFound {
  return new NotFound(
    "conversation_file_not_found",
    "There is no such file that you may see: newer ones have replaced it, or its conversation " +
      "is deleted. Ask for it again in the conversation.",
  );
}
