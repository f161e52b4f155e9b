import { RotateCcw, X } from "lucide-react";
import { useEffect, useState } from "react";
import { type DraftFile, loadDraftFile } from "../shell/drafts.ts";
import { useErrorText } from "../texts/errors.ts";
import { formatBytes } from "../texts/format.ts";
import { FileIcon } from "../ui/file-icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Progress } from "../ui/progress.tsx";
import { useChatTexts } from "./texts.ts";
import { inlineAddress, isPicture } from "../shell/file-queries.ts";
import type { UploadState } from "./use-attachments.ts";

interface AttachmentsProps {
  files: readonly DraftFile[];
  uploads: Record<string, UploadState>;
  remove: (key: string) => void;
  retry: (file: DraftFile) => void;
}

/** The files of an unsent message. */
export function Attachments({ files, uploads, remove, retry }: AttachmentsProps) {
  return (
    <ul className="flex flex-wrap gap-2 px-3 pt-3">
      {files.map((file) => (
        <Attachment
          key={file.key}
          file={file}
          upload={uploads[file.key]}
          onRemove={() => remove(file.key)}
          onRetry={() => retry(file)}
        />
      ))}
    </ul>
  );
}

interface AttachmentProps {
  file: DraftFile;
  upload: UploadState | undefined;
  onRemove: () => void;
  onRetry: () => void;
}

function Attachment({ file, upload, onRemove, onRetry }: AttachmentProps) {
  const texts = useChatTexts();
  const problem = useErrorText(upload?.error);
  return (
    <li className="flex max-w-full items-center gap-2 rounded-md bg-sunken py-0.5 pr-0.5 pl-1">
      <Thumbnail file={file} />
      <span className="min-w-0">
        <bdi className="block max-w-52 truncate">{file.name}</bdi>
        {upload && !upload.error && (
          <Progress label={texts.uploading(file.name)} value={upload.progress} />
        )}
        {!upload && <span className="text-xs text-muted">{formatBytes(file.size)}</span>}
        {upload?.error && (
          <span role="alert" className="block max-w-72 text-xs text-danger">
            {problem}
          </span>
        )}
      </span>
      {upload?.error && (
        <IconButton icon={RotateCcw} label={texts.retry} onClick={onRetry} />
      )}
      <IconButton
        icon={X}
        label={texts.removeFile(file.name)}
        onClick={({ detail, currentTarget }) => {
          // a key: the focus would be lost with the button
          if (detail === 0) focusBeside(currentTarget);
          onRemove();
        }}
      />
    </li>
  );
}

/** Puts the focus on the button that removes the file beside it, or on the message. */
function focusBeside(button: Element): void {
  const row = button.closest("li");
  const beside = row?.nextElementSibling ?? row?.previousElementSibling;
  const next =
    beside?.querySelector<HTMLElement>("button:last-of-type") ??
    button.closest("form")?.querySelector("textarea");
  next?.focus();
}

/** Larger ones would take seconds to be drawn that small. */
const MAX_THUMBNAIL_BYTES = 30_000_000;

/** A picture as it looks, any other file by its kind. */
function Thumbnail({ file }: { file: DraftFile }) {
  const address = usePicture(file);
  const [isBroken, setBroken] = useState(false);
  if (address === undefined || isBroken)
    return (
      <span className="grid size-10 shrink-0 place-items-center">
        <FileIcon name={file.name} />
      </span>
    );
  return (
    <img
      src={address}
      alt=""
      onError={() => setBroken(true)}
      className="size-10 shrink-0 rounded-[6px] bg-page object-cover"
    />
  );
}

/** Where the picture is: in the browser until it is sent, then on the server. */
function usePicture(file: DraftFile): string | undefined {
  const { key, type, size, documentId } = file;
  const isShown = isPicture(type) && size <= MAX_THUMBNAIL_BYTES;
  const [local, setLocal] = useState<string>();
  useEffect(() => {
    if (!isShown) return undefined;
    let made: string | undefined;
    let isCurrent = true;
    void loadDraftFile(file).then((blob) => {
      if (blob && isCurrent) setLocal((made = URL.createObjectURL(blob)));
    });
    return () => {
      isCurrent = false;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [key, isShown]);
  if (!isShown) return undefined;
  return local ?? (documentId === undefined ? undefined : inlineAddress(documentId));
}
