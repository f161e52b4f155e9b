import { useEffect, useState } from "react";
import { type Failure, toFailure } from "../api/failure.ts";
import {
  deleteDraftFile,
  type Draft,
  type DraftFile,
  loadDraftFile,
  saveDraftFile,
} from "../shell/drafts.ts";
import { uploadAttachment } from "./queries.ts";
import { newId } from "../api/new-id.ts";

export interface UploadState {
  /** Part of the bytes that are sent. */
  progress: number;
  error?: Failure;
}

interface Attachments {
  files: readonly DraftFile[];
  change: (next: (draft: Draft) => Partial<Draft>) => void;
}

/** The most files that a message takes. */
export const MAX_FILES = 20;

/**
 * Files of an unsent message. Each is uploaded at once; until it is, its bytes are kept in the
 * browser, so that an upload continues after a reload.
 */
export function useAttachments({ files, change }: Attachments) {
  const [uploads, setUploads] = useState<Record<string, UploadState>>({});
  const setUpload = (key: string, state: UploadState | undefined) =>
    setUploads(({ [key]: _, ...others }) => (state ? { ...others, [key]: state } : others));
  const start = async (entry: DraftFile, file: File) => {
    setUpload(entry.key, { progress: 0 });
    try {
      const onProgress = (progress: number) => setUpload(entry.key, { progress });
      const { id } = await uploadAttachment(file, { onProgress });
      change((draft) => ({ files: withDocument(draft.files, entry.key, id) }));
      setUpload(entry.key, undefined);
      await deleteDraftFile(entry.key);
    } catch (error) {
      setUpload(entry.key, { progress: 0, error: toFailure(error) });
    }
  };
  const resume = async (entry: DraftFile) => {
    const file = await loadDraftFile(entry);
    if (file) await start(entry, file);
    else remove(entry.key);
  };
  const add = (added: readonly File[]) => {
    const entries = added.slice(0, MAX_FILES - files.length).map((file) => ({
      file,
      entry: { key: newId(), name: file.name, size: file.size, type: file.type },
    }));
    for (const { entry, file } of entries) {
      // the bytes first: a reload must not find a file whose bytes were never kept
      void saveDraftFile(entry.key, file).then(() => {
        change((draft) => ({ files: [...draft.files, entry] }));
        return start(entry, file);
      });
    }
  };
  const remove = (key: string) => {
    change((draft) => ({ files: draft.files.filter((file) => file.key !== key) }));
    setUpload(key, undefined);
    void deleteDraftFile(key);
  };
  useEffect(() => {
    for (const entry of files) {
      if (!entry.documentId && !uploads[entry.key]) void resume(entry);
    }
    // once, for what was left by an earlier visit
  }, []);
  return { uploads, add, remove, retry: resume };
}

function withDocument(
  files: readonly DraftFile[],
  key: string,
  documentId: string,
): DraftFile[] {
  return files.map((file) => (file.key === key ? { ...file, documentId } : file));
}
