import { Link } from "@tanstack/react-router";
import { Download, FilePlus2, FileStack, Trash2 } from "lucide-react";
import { useState } from "react";
import type { FolderFile } from "../../../src/services/core/code/contract.ts";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { usePermission } from "../shell/queries.ts";
import { useChange } from "../shell/use-change.ts";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatBytes, formatTime } from "../texts/format.ts";
import { isolate } from "../texts/isolate.ts";
import { texts } from "../texts/language.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { More } from "../ui/more.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import {
  addToDocuments,
  deleteFile,
  fileAddress,
  filesKey,
  filesQuery,
  pictureAddress,
} from "./code-queries.ts";

interface FilesDialogProps {
  conversationId: string;
  mayDelete: boolean;
  onClose: () => void;
}

/** The folder of a conversation: what was attached, and what code wrote. */
export function FilesDialog({ conversationId, mayDelete, onClose }: FilesDialogProps) {
  const texts = useFilesTexts();
  const list = useList(filesQuery(conversationId));
  const [removed, remove] = useState<FolderFile>();
  const items = list.data?.items ?? [];
  if (removed)
    return (
      <Removal
        file={removed}
        conversationId={conversationId}
        onClose={() => remove(undefined)}
      />
    );
  return (
    <Dialog title={texts.title} onClose={onClose}>
      {list.isPending && <Loading shape="rows" lines={4} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && (
        <Empty icon={FileStack} picture="rows" title={texts.none}>
          {texts.noneHint}
        </Empty>
      )}
      <ul className="divide-y divide-hairline">
        {items.map((file) => (
          <Row
            key={file.id}
            file={file}
            onDelete={mayDelete && file.kind === "written" ? () => remove(file) : undefined}
          />
        ))}
      </ul>
      <More list={list} />
    </Dialog>
  );
}

/** What an `img` may show: scripts in an SVG do not run there. */
const PICTURE = /^image\/(?:png|jpeg|gif|webp|svg\+xml)$/;
const NAME = "min-w-0 truncate font-medium hover:underline";

interface RowProps {
  file: FolderFile;
  onDelete: (() => void) | undefined;
}

function Row({ file, onDelete }: RowProps) {
  const texts = useFilesTexts();
  const { id, kind, name, mediaType, size, createdAt } = file;
  const mayAdd = usePermission("document:create");
  const add = useChange({
    run: () => addToDocuments(file),
    keys: [["documents"]],
    onDone: () => notify(texts.added(name)),
  });
  const isPicture = kind === "written" && PICTURE.test(mediaType);
  const download = { href: fileAddress(id), download: name.split("/").at(-1) ?? name };
  return (
    <li className="flex items-center gap-3 py-2">
      {isPicture ? (
        <img
          src={pictureAddress(id)}
          alt=""
          loading="lazy"
          className="size-8 shrink-0 rounded-md object-cover"
          style={{ background: "white" }}
        />
      ) : (
        <FileIcon name={name} />
      )}
      <div className="grid min-w-0 flex-1">
        {kind === "attached" ? (
          <Link to="/documents/d/$id" params={{ id }} title={name} className={NAME}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <a {...download} title={name} className={NAME}>
            <bdi>{name}</bdi>
          </a>
        )}
        <p className="text-xs text-muted" title={formatTime(createdAt)}>
          {texts.facts(kind, formatBytes(size), formatAgo(createdAt))}
        </p>
      </div>
      {kind === "written" && mayAdd && (
        <IconButton
          icon={FilePlus2}
          label={texts.add(name)}
          disabled={add.isPending}
          onClick={() => add.mutate(undefined, { onError: notifyFailure })}
        />
      )}
      {kind === "written" && (
        <a
          {...download}
          aria-label={texts.download(name)}
          title={texts.download(name)}
          className="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
        >
          <Download aria-hidden size={17} strokeWidth={1.75} />
        </a>
      )}
      {onDelete && (
        <IconButton icon={Trash2} label={texts.delete(name)} onClick={onDelete} />
      )}
    </li>
  );
}

interface RemovalProps {
  conversationId: string;
  file: FolderFile;
  onClose: () => void;
}

function Removal({ conversationId, file, onClose }: RemovalProps) {
  const texts = useFilesTexts();
  return (
    <ConfirmChange
      title={texts.delete(file.name)}
      text={texts.deleteHint}
      action={texts.action}
      run={() => deleteFile(conversationId, file.id)}
      keys={[filesKey(conversationId)]}
      done={texts.deleted(file.name)}
      onClose={onClose}
    />
  );
}

const en = {
  title: "Files of this conversation",
  none: "No files yet",
  noneHint: "What you attach and what code writes is here.",
  facts: (kind: FolderFile["kind"], size: string, ago: string) =>
    `${kind === "attached" ? "Attached" : "Written by code"} · ${size} · ${ago}`,
  download: (name: string) => `Download ${isolate(name)}`,
  add: (name: string) => `Add ${isolate(name)} to your documents`,
  added: (name: string) => `${isolate(name)} is among your documents now.`,
  delete: (name: string) => `Delete ${isolate(name)}`,
  deleteHint:
    "Its earlier versions go with it, and answers that name it open it no more. This cannot be undone.",
  action: "Delete",
  deleted: (name: string) => `${isolate(name)} was deleted.`,
};

const de: typeof en = {
  title: "Dateien dieser Unterhaltung",
  none: "Noch keine Dateien",
  noneHint: "Hier ist, was Sie anhängen und was Code schreibt.",
  facts: (kind, size, ago) =>
    `${kind === "attached" ? "Angehängt" : "Von Code geschrieben"} · ${size} · ${ago}`,
  download: (name) => `${isolate(name)} herunterladen`,
  add: (name) => `${isolate(name)} zu Ihren Dokumenten hinzufügen`,
  added: (name) => `${isolate(name)} ist jetzt unter Ihren Dokumenten.`,
  delete: (name) => `${isolate(name)} löschen`,
  deleteHint:
    "Frühere Fassungen gehen mit, und Antworten, die sie nennen, öffnen sie nicht mehr. Das lässt sich nicht rückgängig machen.",
  action: "Löschen",
  deleted: (name) => `${isolate(name)} wurde gelöscht.`,
};

const useFilesTexts = texts({ en, de });
