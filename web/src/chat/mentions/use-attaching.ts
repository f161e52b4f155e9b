import { newId } from "../../api/new-id.ts";
import type { DraftFile } from "../../shell/drafts.ts";
import { notify, notifyFailure } from "../../ui/notices.tsx";
import { MAX_FILES } from "../use-attachments.ts";
import { documentsInFolder, type Found } from "./queries.ts";
import { useMentionTexts } from "./texts.ts";

interface Attaching {
  files: readonly DraftFile[];
  onFiles: (added: readonly DraftFile[]) => void;
}

type Attachable = Exclude<Found, { kind: "agent" }>;

/** @returns what attaches a document, or those of a folder, as far as a message takes them. */
export function useAttaching({ files, onFiles }: Attaching) {
  const texts = useMentionTexts();
  const room = MAX_FILES - files.length;
  const attached = new Set(files.map(({ documentId }) => documentId));
  return async (one: Attachable) => {
    if (room <= 0) return notify(texts.full(MAX_FILES));
    if (one.kind === "document") {
      if (!attached.has(one.id)) onFiles([toFile(one)]);
      return;
    }
    try {
      const { items, total } = await documentsInFolder(one.id, MAX_FILES);
      const added = items.filter(({ id }) => !attached.has(id)).slice(0, room);
      if (total === 0) return notify(texts.emptyFolder(one.name));
      onFiles(
        added.map(({ id, fileName, size, mimeType }) =>
          toFile({ id, name: fileName, size, type: mimeType }),
        ),
      );
      const missing = total - items.filter(({ id }) => attached.has(id)).length;
      if (added.length < missing) notify(texts.notAll(added.length, missing));
    } catch (error) {
      notifyFailure(error);
    }
  };
}

function toFile({
  id,
  name,
  size,
  type,
}: Omit<DraftFile, "key"> & { id: string }): DraftFile {
  return { key: newId(), documentId: id, name, size, type };
}
