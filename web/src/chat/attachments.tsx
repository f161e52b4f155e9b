import { RotateCcw, X } from "lucide-react";
import type { DraftFile } from "../shell/drafts.ts";
import { useErrorText } from "../texts/errors.ts";
import { formatBytes } from "../texts/format.ts";
import { FileIcon } from "../ui/file-icon.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Progress } from "../ui/progress.tsx";
import { useChatTexts } from "./texts.ts";
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
    <li className="flex max-w-full items-center gap-2 rounded-md bg-sunken py-0.5 pr-0.5 pl-2">
      <FileIcon name={file.name} isBare />
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
      <IconButton icon={X} label={texts.removeFile(file.name)} onClick={onRemove} />
    </li>
  );
}
