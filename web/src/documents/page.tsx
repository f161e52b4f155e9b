import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import {
  FileText,
  FileUp,
  Folder as FolderIcon,
  FolderPlus,
  Paperclip,
  Search,
} from "lucide-react";
import { type ComponentProps, useState } from "react";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { useDropTarget } from "../shell/drop-target.ts";
import { usePermission } from "../shell/queries.ts";
import { useList } from "../shell/use-list.ts";
import { formatBytes } from "../texts/format.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { Button, buttonLook } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { FailedAgain } from "./failed-again.tsx";
import { Folders } from "./folders.tsx";
import {
  deleteFolder,
  documentsQuery,
  type FailedOf,
  folderNameQuery,
  foldersQuery,
  type StoredDocument,
  summaryQuery,
  createFolder,
  useDocumentChange,
} from "./queries.ts";
import { DocumentRow } from "./row.tsx";
import { useDocumentTexts } from "./texts.ts";
import { UploadList, useUploads } from "./upload-list.tsx";
import { FormDialog, textOf } from "../ui/form-dialog.tsx";
import { TextField } from "../ui/text-field.tsx";
import { useChosen } from "../ui/use-chosen.ts";
import { useFilePicker } from "../ui/use-file-picker.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { Filters } from "./filters.tsx";
import { ListHead } from "./list-head.tsx";

/** Files and folders from which answers are made. */
export function DocumentsPage() {
  const texts = useDocumentTexts();
  const { folder: folderId } = useParams({ strict: false });
  const search = useSearch({ from: "/app/documents-list" });
  const { q, status, sort, order } = search;
  const isAttached = search.of === "chats";
  const found = useList(
    documentsQuery({ folderId, status, q, sorting: { sort, order }, isAttached }),
  );
  const folders = useQuery(foldersQuery(folderId));
  // folders that come later would move what is there
  const list = awaitsFirst(folders)
    ? { ...found, isPending: true, data: undefined }
    : found;
  const uploads = useUploads(folderId);
  const upload = useFilePicker(uploads.add);
  const drop = useDropTarget(uploads.add);
  const isNarrowed = q !== undefined || status !== undefined || isAttached;
  const documents = list.data?.items ?? [];
  return (
    <Page
      title={texts.title}
      actions={<Actions folderId={folderId} onUpload={upload.open} />}
    >
      <div className="grid gap-4">
        {isAttached && <OfChats />}
        <Filters search={search} />
        <UploadList uploads={uploads} />
        {!isNarrowed && !list.isPending && (
          <Folders folderId={folderId} dropPlace={drop?.place} />
        )}
        {list.isPending && <Loading shape="rows" lines={8} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {/* another folder or filter is another list, of which nothing is chosen yet */}
        <Documents
          key={`${folderId} ${q} ${status} ${isAttached}`}
          list={found}
          documents={documents}
          total={list.data?.total ?? 0}
        />
        {list.data?.total === 0 && (
          <Nothing
            folderId={folderId}
            isNarrowed={q !== undefined || status !== undefined}
            isAttached={isAttached}
            hasFolders={(folders.data?.items.length ?? 0) > 0}
            onUpload={upload.open}
          />
        )}
        <More list={list} />
        {!isAttached && !list.isPending && <Summary folderId={folderId} q={q} />}
      </div>
      {upload.input}
      {drop && <DropHint place={drop.place} />}
    </Page>
  );
}

interface DocumentsProps {
  list: ComponentProps<typeof BulkBar>["list"];
  documents: readonly StoredDocument[];
  /** Of the whole list. */
  total: number;
}

/** The rows. Those that are chosen are moved, processed again or deleted together. */
function Documents({ list, documents, total }: DocumentsProps) {
  const search = useSearch({ from: "/app/documents-list" });
  const mayUpdate = usePermission("document:update");
  const mayDelete = usePermission("document:delete");
  const chosen = useChosen(documents.map(({ id }) => id));
  const choosing = mayUpdate || mayDelete ? chosen : undefined;
  return (
    <div {...chosen.area}>
      {choosing && <BulkBar list={list} chosen={choosing} documents={documents} />}
      {documents.length > 0 && <ListHead search={search} chosen={choosing} total={total} />}
      <ul className="divide-y divide-hairline">
        {documents.map((document) => (
          <DocumentRow key={document.id} document={document} chosen={choosing} />
        ))}
      </ul>
    </div>
  );
}

/** Where files that are being dragged would go; it leaves the folders in sight. */
function DropHint({ place }: { place: string | undefined }) {
  const texts = useDocumentTexts();
  const { data: name } = useQuery({
    ...folderNameQuery(place ?? ""),
    enabled: place !== undefined,
  });
  return (
    <div className="pointer-events-none fixed inset-0 z-30 grid place-items-end justify-center border-4 border-accent-line p-10">
      <p className="flex items-center gap-3 rounded-lg border-2 border-dashed border-accent bg-raised px-6 py-4 text-lg shadow-3">
        <FileUp aria-hidden size={20} className="text-accent" />
        {place && name ? texts.dropInto(name) : texts.drop}
      </p>
    </div>
  );
}

interface ActionsProps {
  folderId: string | undefined;
  onUpload: () => void;
}

function Actions({ folderId, onUpload }: ActionsProps) {
  const texts = useDocumentTexts();
  const [isNaming, setNaming] = useState(false);
  const maySearch = usePermission("document:search");
  const mayCreate = usePermission("document:create");
  const navigate = useNavigate();
  const others = [
    {
      key: "try",
      label: texts.tryOut,
      isThere: maySearch,
      onChoose: () => void navigate({ to: "/documents/try" }),
    },
    {
      key: "folder",
      label: texts.newFolder,
      isThere: mayCreate,
      onChoose: () => setNaming(true),
    },
  ].filter(({ isThere }) => isThere);
  return (
    <>
      {maySearch && (
        <Link to="/documents/try" className={`${buttonLook("quiet")} max-sm:hidden`}>
          <Search aria-hidden size={16} strokeWidth={1.75} />
          {texts.tryOut}
        </Link>
      )}
      {mayCreate && (
        <Button look="quiet" className="max-sm:hidden" onClick={() => setNaming(true)}>
          <FolderPlus aria-hidden size={16} strokeWidth={1.75} />
          {texts.newFolder}
        </Button>
      )}
      {mayCreate && (
        <Button look="primary" onClick={onUpload}>
          <FileUp aria-hidden size={16} />
          <span className="max-sm:sr-only">{texts.upload}</span>
        </Button>
      )}
      <div className="sm:hidden">
        <ActionsMenu label={texts.more} items={others} />
      </div>
      {isNaming && (
        <NewFolderDialog parentId={folderId ?? null} onClose={() => setNaming(false)} />
      )}
    </>
  );
}

interface NothingProps {
  folderId: string | undefined;
  isNarrowed: boolean;
  isAttached: boolean;
  /** Whether there are folders in it. */
  hasFolders: boolean;
  onUpload: () => void;
}

function Nothing(props: NothingProps) {
  const { folderId, isNarrowed, isAttached, hasFolders, onUpload } = props;
  const texts = useDocumentTexts();
  const mayCreate = usePermission("document:create");
  const mayDelete = usePermission("document:delete");
  const remove = useDocumentChange(deleteFolder, () => notify(texts.folderDeleted));
  if (isNarrowed)
    return (
      <Empty icon={Search} title={texts.nothing}>
        {texts.nothingHint}
      </Empty>
    );
  if (isAttached)
    return (
      <Empty icon={Paperclip} picture="rows" title={texts.noneOfChats}>
        {texts.noneOfChatsHint}
      </Empty>
    );
  const upload = mayCreate && (
    <Button onClick={onUpload}>
      <FileUp aria-hidden size={16} />
      {texts.upload}
    </Button>
  );
  if (folderId === undefined || hasFolders)
    return (
      <Empty icon={FileText} picture="rows" title={texts.empty} action={upload}>
        {texts.emptyHint}
      </Empty>
    );
  return (
    <Empty
      icon={FolderIcon}
      picture="rows"
      title={texts.emptyFolder}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {upload}
          {mayDelete && (
            <Button
              look="quiet"
              busy={remove.isPending}
              onClick={() => remove.mutate(folderId)}
            >
              {texts.deleteFolder}
            </Button>
          )}
        </div>
      }
    >
      {remove.error ? <Problem error={remove.error} /> : texts.emptyHint}
    </Empty>
  );
}

/** Says what the files of conversations are, and leads back to the documents. */
function OfChats() {
  const texts = useDocumentTexts();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <p className="text-muted">{texts.ofChatsHint}</p>
      <Link to="/documents" className="underline">
        {texts.all}
      </Link>
    </div>
  );
}

/** The used storage, and a button to process again what failed here. */
function Summary({ folderId, q }: FailedOf) {
  const texts = useDocumentTexts();
  const { data } = useQuery(summaryQuery);
  if (!data) return null;
  return (
    <footer className="flex flex-wrap items-center gap-4 text-xs text-muted">
      <span>{texts.used(formatBytes(data.bytes), formatBytes(data.quotaBytes))}</span>
      {folderId === undefined && (
        <Link to="/documents" search={{ of: "chats" }} className="underline">
          {texts.ofChats}
        </Link>
      )}
      <FailedAgain key={`${folderId} ${q}`} folderId={folderId} q={q} />
    </footer>
  );
}

interface NewFolderProps {
  parentId: string | null;
  onClose: () => void;
}

function NewFolderDialog({ parentId, onClose }: NewFolderProps) {
  const texts = useDocumentTexts();
  const create = useDocumentChange((name: string) => createFolder(name, parentId), onClose);
  return (
    <FormDialog
      title={texts.newFolder}
      action={texts.create}
      busy={create.isPending}
      error={create.error}
      onSubmit={(fields) => create.mutate(textOf(fields, "name"))}
      onClose={onClose}
    >
      <TextField label={texts.folderName} name="name" maxLength={200} required autoFocus />
    </FormDialog>
  );
}
