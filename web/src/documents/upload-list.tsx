import { RotateCw, X } from "lucide-react";
import { useErrorText } from "../texts/errors.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Progress } from "../ui/progress.tsx";
import { useDocumentTexts } from "./texts.ts";
import type { Upload, Uploads } from "./use-uploads.ts";

/** The uploads in progress, and the failed ones. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  const texts = useDocumentTexts();
  if (uploads.running.length === 0) return null;
  return (
    <ul aria-label={texts.uploads} className="grid gap-1 rounded-lg bg-sunken p-2">
      {uploads.running.map((upload) => (
        <UploadRow key={upload.key} upload={upload} uploads={uploads} />
      ))}
    </ul>
  );
}

function UploadRow({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const texts = useDocumentTexts();
  const { key, file, sent, failure } = upload;
  const problem = useErrorText(failure);
  return (
    <li className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <bdi className="block truncate">{file.name}</bdi>
        {failure ? (
          <p role="alert" className="text-xs text-danger">
            {problem}
          </p>
        ) : (
          <Progress label={texts.uploading(file.name)} value={sent} />
        )}
      </div>
      {failure && (
        <IconButton
          icon={RotateCw}
          label={texts.tryAgain(file.name)}
          onClick={() => uploads.repeat(key)}
        />
      )}
      <IconButton
        icon={X}
        label={failure ? texts.dismiss(file.name) : texts.cancel(file.name)}
        onClick={() => uploads.cancel(key)}
      />
    </li>
  );
}
