import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { SharingDialog } from "../sharing/dialog.tsx";
import { formatAgo, formatBytes, formatTime } from "../texts/format.ts";
import { ChooseBox } from "../ui/choose-box.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { join } from "../ui/join.ts";
import type { Chosen } from "../ui/use-chosen.ts";
import { ChangeDialog, Deletion } from "./change-dialog.tsx";
import type { StoredDocument } from "./queries.ts";
import { type RowDialog, RowMenu } from "./row-menu.tsx";
import { FailureReason, State } from "./state.tsx";
import { useDocumentTexts } from "./texts.ts";

/** Box, icon, name, state, size, date and menu; what has no room stands below the name. */
export const ROW_COLUMNS =
  "grid gap-x-3 grid-cols-[auto_auto_minmax(0,1fr)_auto] " +
  "sm:grid-cols-[auto_auto_minmax(0,1fr)_13rem_auto] " +
  "xl:grid-cols-[auto_auto_minmax(0,1fr)_13rem_4.5rem_6.5rem_auto]";

interface DocumentRowProps {
  document: StoredDocument;
  /** Absent where nothing can be chosen. */
  chosen: Chosen | undefined;
}

/** A document in a list, with its state and actions. */
export function DocumentRow({ document, chosen }: DocumentRowProps) {
  const [dialog, setDialog] = useState<RowDialog>();
  const close = () => setDialog(undefined);
  const { id, fileName, size, updatedAt } = document;
  const changed = (
    <time dateTime={updatedAt} title={formatTime(updatedAt)}>
      {formatAgo(updatedAt)}
    </time>
  );
  return (
    <li
      className={join(
        "min-h-13 items-start py-2.5 xl:items-center xl:py-1.5",
        ROW_COLUMNS,
        chosen?.has(id) ? "bg-accent-soft" : "xl:hover:bg-hover",
      )}
    >
      {chosen ? <ChooseBox chosen={chosen} id={id} name={fileName} /> : <span />}
      <FileIcon name={fileName} />
      <div className="min-w-0">
        <Link
          to="/documents/d/$id"
          params={{ id }}
          title={fileName}
          className="block min-h-6 truncate font-medium hover:underline xl:min-h-5"
        >
          <bdi>{fileName}</bdi>
        </Link>
        <p className="text-sm text-muted">
          <span className="xl:hidden">
            {formatBytes(size)} · {changed}
          </span>
          <Facts document={document} />
        </p>
        <FailureReason document={document} />
      </div>
      <div className="max-sm:col-start-3 max-sm:row-start-2">
        <State document={document} />
      </div>
      <span className="text-right text-sm text-muted tabular-nums max-xl:hidden">
        {formatBytes(size)}
      </span>
      <span className="text-right text-sm text-muted max-xl:hidden">{changed}</span>
      <div className="max-sm:col-start-4 max-sm:row-start-1">
        <RowMenu document={document} onDialog={setDialog} />
      </div>
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

/** How long it is, as the reader found. */
function Facts({ document: { parsing, indexing } }: { document: StoredDocument }) {
  const texts = useDocumentTexts();
  const kind = parsing?.layout?.kind ?? "none";
  const facts = [
    parsing && kind !== "none" && texts.counts[kind](parsing.pages),
    indexing && texts.chunkCount(indexing.chunks),
  ].filter(Boolean);
  return <span className="max-xl:hidden">{facts.join(" · ")}</span>;
}
