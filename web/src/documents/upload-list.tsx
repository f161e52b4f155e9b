import { RotateCw, X } from "lucide-react";
import { useErrorText } from "../texts/errors.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Progress } from "../ui/progress.tsx";
import { useDocumentTexts } from "./texts.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type Failure, toFailure } from "../api/failure.ts";
import { notify } from "../ui/notices.tsx";
import { uploadDocument } from "./queries.ts";

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

/** A file that is being uploaded. */
interface Upload {
  key: string;
  file: File;
  folderId: string | undefined;
  /** Part of the bytes that are sent, from 0 to 1. */
  sent: number;
  failure?: Failure;
}

interface Uploads {
  running: readonly Upload[];
  /** Uploads them into a folder; default: the one that is open. */
  add: (files: readonly File[], into?: string) => void;
  cancel: (key: string) => void;
  repeat: (key: string) => void;
}

/** Uploads files into folders, each with its progress, and keeps those that failed. */
export function useUploads(open: string | undefined): Uploads {
  const texts = useDocumentTexts();
  const queries = useQueryClient();
  const [running, setRunning] = useState<readonly Upload[]>([]);
  const aborts = useRef(new Map<string, AbortController>());
  const change = (key: string, changed: Partial<Upload>) =>
    setRunning((all) => all.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const remove = (key: string) => setRunning((all) => all.filter((one) => one.key !== key));

  const send = async ({ key, file, folderId }: Upload) => {
    const abort = new AbortController();
    aborts.current.set(key, abort);
    try {
      const { deduplicated } = await uploadDocument(file, {
        ...(folderId !== undefined && { fields: { folderId } }),
        signal: abort.signal,
        onProgress: (sent) => change(key, { sent }),
      });
      remove(key);
      if (deduplicated) notify(texts.known(file.name));
      await queries.invalidateQueries({ queryKey: ["documents"] });
    } catch (error) {
      if (abort.signal.aborted) remove(key);
      else change(key, { failure: toFailure(error) });
    } finally {
      aborts.current.delete(key);
    }
  };
  return {
    running,
    add(files, folderId = open) {
      const added = files.map((file) => ({
        key: crypto.randomUUID(),
        file,
        folderId,
        sent: 0,
      }));
      setRunning((all) => [...all, ...added]);
      for (const one of added) void send(one);
    },
    cancel(key) {
      aborts.current.get(key)?.abort();
      remove(key);
    },
    repeat(key) {
      const one = running.find((candidate) => candidate.key === key);
      if (!one) return;
      setRunning((all) => all.map((other) => (other.key === key ? fresh(other) : other)));
      void send(one);
    },
  };
}

function fresh({ key, file, folderId }: Upload): Upload {
  return { key, file, folderId, sent: 0 };
}
