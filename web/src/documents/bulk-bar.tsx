import { FolderInput, RotateCw, Trash2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { BulkReport } from "../shell/bulk/report.tsx";
import { oneByOne, useBulk } from "../shell/bulk/use-bulk.ts";
import { usePermission } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { ChosenBar } from "../ui/chosen-bar.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import type { Chosen } from "../ui/use-chosen.ts";
import { chosenFolder, FolderField } from "./folder-field.tsx";
import {
  changeDocument,
  deleteDocument,
  isBeingProcessed,
  reprocessDocument,
  type StoredDocument,
} from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";

interface BulkBarProps {
  list: ComponentProps<typeof ChosenBar>["list"];
  chosen: Chosen;
  /** All of the list. */
  documents: readonly StoredDocument[];
}

type OpenDialog = "move" | "delete" | undefined;

/** Moves, processes again or deletes the chosen documents, and says which of them it could not. */
export function BulkBar({ list, chosen, documents }: BulkBarProps) {
  const texts = useDocumentTexts();
  const [asked, setAsked] = useState<OpenDialog>();
  const close = () => setAsked(undefined);
  const mayUpdate = usePermission("document:update");
  const mayDelete = usePermission("document:delete");
  const some = documents.filter(({ id }) => chosen.has(id));
  const idle = some.filter((document) => !isBeingProcessed(document));
  const run = useRuns(chosen.none);
  const isBusy = run.bulk.state === "running";
  return (
    <>
      <ChosenBar chosen={chosen} list={list} hasHead="always">
        {mayUpdate && (
          <Button look="quiet" busy={isBusy} onClick={() => setAsked("move")}>
            <FolderInput aria-hidden size={16} />
            {texts.move}
          </Button>
        )}
        {mayUpdate && (
          <Button
            look="quiet"
            busy={isBusy}
            disabled={idle.length === 0}
            onClick={() => run.again(idle)}
          >
            <RotateCw aria-hidden size={16} />
            {texts.reprocess}
          </Button>
        )}
        {mayDelete && (
          <Button look="danger" busy={isBusy} onClick={() => setAsked("delete")}>
            <Trash2 aria-hidden size={16} />
            {texts.delete}
          </Button>
        )}
      </ChosenBar>
      <div className="my-2 empty:hidden">
        <BulkReport bulk={run.bulk} />
      </div>
      {asked === "move" && (
        <FormDialog
          title={texts.moveManyTitle(some.length)}
          action={texts.move}
          busy={false}
          onSubmit={(fields) => {
            run.move(some, chosenFolder(fields));
            close();
          }}
          onClose={close}
        >
          <FolderField current={some[0]?.folderId ?? null} />
        </FormDialog>
      )}
      {asked === "delete" && (
        <Confirm
          title={texts.deleteManyTitle(some.length)}
          text={texts.deleteManyText}
          action={texts.delete}
          onConfirm={() => {
            run.remove(some);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

type Documents = readonly StoredDocument[];

function useRuns(onDone: () => void) {
  const texts = useDocumentTexts();
  const bulk = useBulk([["documents"]]);
  const itemsOf = (some: Documents) =>
    some.map(({ id, fileName }) => ({ id, name: fileName }));
  return {
    bulk,
    move(some: Documents, folderId: string | null) {
      const before = new Map(some.map((document) => [document.id, document.folderId]));
      const moved = some.filter((document) => document.folderId !== folderId);
      if (moved.length === 0) return onDone();
      bulk.start({
        items: itemsOf(moved),
        act: oneByOne((id) => changeDocument(id, { folderId })),
        done: texts.moved,
        undo: (items) =>
          bulk.start({
            items,
            act: oneByOne((id) => changeDocument(id, { folderId: before.get(id) ?? null })),
            done: texts.movedBack,
          }),
        onDone,
      });
    },
    again(some: Documents) {
      bulk.start({
        items: itemsOf(some),
        act: oneByOne((id) => reprocessDocument(id)),
        done: texts.retried,
        onDone,
      });
    },
    remove(some: Documents) {
      bulk.start({
        items: itemsOf(some),
        act: oneByOne(deleteDocument),
        done: texts.deletedMany,
        onDone,
      });
    },
  };
}
