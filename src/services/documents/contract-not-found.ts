import { NotFound } from "../../platform/http/errors.ts";

export function documentNotFound(): NotFound {
  return new NotFound(
    "document_not_found",
    "There is no such document, or you may not see it. GET /api/v1/documents lists yours.",
  );
}

export function folderNotFound(): NotFound {
  return new NotFound(
    "folder_not_found",
    "There is no such folder, or you may not see it. GET /api/v1/documents/folders " +
      "lists yours.",
  );
}
