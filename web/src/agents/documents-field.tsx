import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { useList } from "../shell/use-list.ts";
import { formatBytes } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import type { FieldsProps } from "./fields.ts";
import { Chips } from "./chips.tsx";
import { Chooser } from "../ui/chooser.tsx";
import { agentFilesQuery, documentsQuery } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

const MAX_FILES = 1_000;

/** The documents that the agent answers from. */
export function DocumentsField(props: FieldsProps & { storedId?: string }) {
  const { fields, change, isReadOnly, storedId } = props;
  const texts = useAgentTexts();
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<ReadonlyMap<string, string>>(new Map());
  const { files } = fields;
  const stored = useStoredNames(storedId, files.length > 0);
  const moreIds = fields.retrieval?.docIds ?? [];
  const chips = files.map((id) => {
    const name = added.get(id) ?? stored?.get(id);
    return {
      key: id,
      label: name ?? (stored ? texts.unknownDocument : "…"),
      isMuted: name === undefined,
      title: name ?? id,
    };
  });
  return (
    <div className="grid gap-3">
      <Chips
        label={texts.documents}
        chips={chips}
        removeLabel={texts.removeDocument}
        onRemove={
          isReadOnly
            ? undefined
            : (key) => change({ files: files.filter((one) => one !== key) })
        }
      />
      {moreIds.length > 0 && (
        <p className="text-muted">{texts.moreDocuments(moreIds.length)}</p>
      )}
      {!isReadOnly && (
        <Button className="justify-self-start" onClick={() => setOpen(true)}>
          <Plus aria-hidden size={16} />
          {texts.addDocuments}
        </Button>
      )}
      {isOpen && (
        <Chooser
          title={texts.addDocuments}
          useList={useDocuments}
          keyOf={({ id }) => id}
          labelOf={({ fileName }) => <bdi>{fileName}</bdi>}
          hintOf={({ size }) => formatBytes(size)}
          chosen={files}
          max={MAX_FILES}
          onChange={(next, { id, fileName }) => {
            setAdded((before) => new Map(before).set(id, fileName));
            change({ files: next });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/**
 * The names of an agent's documents by id, as far as the user may see them; undefined until that
 * is known.
 */
function useStoredNames(
  agentId: string | undefined,
  hasFiles: boolean,
): ReadonlyMap<string, string | null> | undefined {
  const query = useQuery({
    ...agentFilesQuery(agentId ?? ""),
    enabled: agentId !== undefined && hasFiles,
  });
  const { data } = query;
  return awaitsFirst(query)
    ? undefined
    : new Map(data?.items.map(({ id, fileName }) => [id, fileName]));
}

function useDocuments(words: string | undefined) {
  return useList(documentsQuery(words));
}
