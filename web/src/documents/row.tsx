import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { SharingDialog } from "../sharing/dialog.tsx";
import { formatAgo, formatBytes } from "../texts/format.ts";
import { FileIcon } from "../ui/file-icon.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { Deletion } from "./deletion.tsx";
import type { StoredDocument } from "./queries.ts";
import { RowMenu } from "./row-menu.tsx";
import { State } from "./state.tsx";

export type RowDialog = "rename" | "share" | "delete";

/** A document in a list, with its state and actions. */
export function DocumentRow({ document }: { document: StoredDocument }) {
  const [dialog, setDialog] = useState<RowDialog>();
  const close = () => setDialog(undefined);
  const { id, fileName, size, updatedAt } = document;
  return (
    <li className="flex min-h-13 items-start gap-3 py-2.5">
      <FileIcon name={fileName} />
      <div className="grid min-w-0 flex-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_14rem]">
        <div className="min-w-0">
          <Link
            to="/documents/d/$id"
            params={{ id }}
            title={fileName}
            className="block min-h-6 truncate font-medium hover:underline"
          >
            <bdi>{fileName}</bdi>
          </Link>
          <p className="text-sm text-muted">
            {formatBytes(size)} · {formatAgo(updatedAt)}
          </p>
        </div>
        <State document={document} />
      </div>
      <RowMenu document={document} onDialog={setDialog} />
      {dialog === "rename" && <ChangeDialog document={document} onClose={close} />}
      {dialog === "delete" && <Deletion document={document} onClose={close} />}
      {dialog === "share" && (
        <SharingDialog
          resource={{ resourceType: "document", resourceId: id }}
          name={fileName}
          path={`/documents/d/${id}`}
          onClose={close}
        />
      )}
    </li>
  );
}
