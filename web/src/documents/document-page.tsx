import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight, FilePlus2 } from "lucide-react";
import { useState } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { formatBytes, formatTime } from "../texts/format.ts";
import { isolate } from "../texts/isolate.ts";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { More } from "../ui/more.tsx";
import { Page } from "../ui/page.tsx";
import { ProblemPage } from "../ui/problem-page.tsx";
import { TAB_LOOK, TABS_LOOK } from "../ui/tab-links.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { OriginalFoot, OriginalPassage } from "./original/original-passage.tsx";
import { useReading } from "./original/use-reading.ts";
import { Cut } from "./cut.tsx";
import { ChangeDialog, Deletion } from "./change-dialog.tsx";
import { AccessReason } from "../sharing/access-reason.tsx";
import { SharingDialog } from "../sharing/dialog.tsx";
import { meQuery, usePermission } from "../shell/queries.ts";
import { inlineAddress, isPicture } from "../shell/file-queries.ts";
import { useList } from "../shell/use-list.ts";
import {
  chunksQuery,
  documentQuery,
  pagesQuery,
  type StoredDocument,
  useKeeping,
} from "./queries.ts";
import { DOCUMENT_VIEWS } from "./routes.ts";
import type { RowDialog } from "./row-menu.tsx";
import { RowMenu } from "./row-menu.tsx";
import { FailureReason, State } from "./state.tsx";
import type { TextLayout } from "../../../src/services/parser/contract-jobs.ts";
import { usePlace } from "../texts/place.ts";
import { useDocumentTexts } from "./texts.ts";

const PDF = "application/pdf";

/** A document: its state, its pages as text, and the chunks in which it is searched. */
export function DocumentPage() {
  const texts = useDocumentTexts();
  const { id } = useParams({ from: "/app/documents/d/$id" });
  const { data: document, error, refetch } = useQuery(documentQuery(id));
  const [dialog, setDialog] = useState<RowDialog>();
  const navigate = useNavigate();
  const close = () => setDialog(undefined);
  if (error)
    return (
      <ProblemPage
        title={texts.title}
        list={{ to: "/documents", label: texts.all }}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!document) return <Loading shape="page" lines={4} />;
  return (
    <Page
      title={document.fileName}
      back={{
        to: document.folderId ? `/documents/${document.folderId}` : "/documents",
        label: texts.all,
      }}
      actions={<RowMenu document={document} onDialog={setDialog} />}
    >
      <div className="grid gap-4">
        <Facts document={document} />
        <Reason document={document} />
        <Attachment document={document} />
        <Picture document={document} />
        {isRead(document) && <Content document={document} />}
      </div>
      {dialog === "rename" && <ChangeDialog document={document} onClose={close} />}
      {dialog === "delete" && (
        <Deletion
          document={document}
          onClose={close}
          onDone={() => void navigate({ to: "/documents" })}
        />
      )}
      {dialog === "share" && (
        <SharingDialog
          resource={{ resourceType: "document", resourceId: id }}
          name={document.fileName}
          path={`/documents/d/${id}`}
          onClose={close}
        />
      )}
    </Page>
  );
}

/** Of a picture that was given to a model nothing is read. */
function isRead({ isAttachment, status, parsing }: StoredDocument): boolean {
  return !isAttachment || status !== "PROCESSED" || parsing !== null;
}

function Reason({ document: { id, ownerId } }: { document: StoredDocument }) {
  const { data: me } = useQuery(meQuery);
  if (!me || ownerId === me.id) return null;
  return <AccessReason resource={{ resourceType: "document", resourceId: id }} />;
}

/** Says of a file that was given to a conversation what that means, and offers to keep it. */
function Attachment({ document: { id, isAttachment } }: { document: StoredDocument }) {
  const texts = useDocumentTexts();
  const mayUpdate = usePermission("document:update");
  const keep = useKeeping(id);
  if (!isAttachment) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-hairline bg-sunken px-4 py-3">
      <p className="text-muted">{texts.attachmentHint}</p>
      {mayUpdate && (
        <Button busy={keep.isPending} onClick={() => keep.mutate()}>
          <FilePlus2 aria-hidden size={16} strokeWidth={1.75} />
          {texts.keep}
        </Button>
      )}
    </div>
  );
}

function Facts({ document }: { document: StoredDocument }) {
  const texts = useDocumentTexts();
  const { size, createdAt, parsing, indexing } = document;
  const facts = [
    formatBytes(size),
    formatTime(createdAt),
    indexing && texts.chunkCount(indexing.chunks),
    parsing && texts.readBy(parsing.parserMethod),
  ];
  return (
    <div className="-mt-3 grid gap-1 text-muted">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <div className="has-[[role=progressbar]]:w-56">
          <State document={document} />
        </div>
        <p>{facts.filter(Boolean).join(" · ")}</p>
      </div>
      <FailureReason document={document} />
      {indexing && indexing.embedded < indexing.chunks && (
        <p className="text-xs wrap-anywhere">
          {texts.tooLong(indexing.chunks - indexing.embedded, isolate(indexing.model))}
        </p>
      )}
    </div>
  );
}

function Content({ document }: { document: StoredDocument }) {
  const texts = useDocumentTexts();
  const { id, status } = document;
  const isPdf = document.mimeType === PDF;
  const search = useSearch({ from: "/app/documents/d/$id" });
  const { view = isPdf ? "original" : "text" } = search;
  if (status !== "PROCESSED" && !document.parsing) {
    return status === "FAILED" ? null : (
      <Empty title={texts.statuses[status]}>{texts.noText}</Empty>
    );
  }
  return (
    <>
      <nav aria-label={document.fileName} className={TABS_LOOK}>
        {DOCUMENT_VIEWS.filter((one) => one !== "original" || isPdf).map((one) => (
          <Link
            key={one}
            to="."
            search={(search) => ({ ...search, view: one })}
            data-status={one === view ? "active" : "inactive"}
            aria-current={one === view ? "page" : undefined}
            className={TAB_LOOK}
          >
            {texts[one]}
          </Link>
        ))}
      </nav>
      {view === "original" && <Original document={document} />}
      {view === "text" && <Pages id={id} kind={document.parsing?.layout?.kind ?? "none"} />}
      {view === "chunks" && <Chunks id={id} />}
      {view === "cut" && <Cut id={id} />}
    </>
  );
}

/** The pages of a PDF as they look. */
function Original({ document: { id, fileName } }: { document: StoredDocument }) {
  const navigate = useNavigate();
  const { page = 1 } = useSearch({ from: "/app/documents/d/$id" });
  const source = { documentId: id, fileName, pageNumber: page, content: "" };
  const reading = useReading(source);
  const turnTo = (to: number) =>
    void navigate({ to: ".", search: { view: "original", page: to } });
  return (
    <div className="grid max-w-[calc(44rem+2rem)] grid-cols-[minmax(0,1fr)] rounded-lg border border-hairline bg-sunken">
      <div className="sticky top-13 z-[1] rounded-t-lg border-b border-hairline bg-raised px-3 py-1">
        <OriginalFoot source={source} reading={{ ...reading, page, turnTo }} />
      </div>
      <div className="overflow-x-auto p-4">
        <OriginalPassage
          source={source}
          said={undefined}
          reading={{ ...reading, page, isCited: false }}
        />
      </div>
    </div>
  );
}

interface PagesProps {
  id: string;
  kind: TextLayout["kind"];
}

function Pages({ id, kind }: PagesProps) {
  const texts = useDocumentTexts();
  const navigate = useNavigate();
  const { page: wanted = 1 } = useSearch({ from: "/app/documents/d/$id" });
  const { data: pages, error, refetch } = useQuery(pagesQuery(id, true));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!pages) return <Loading lines={8} />;
  const page = Math.min(Math.max(1, wanted), pages.length);
  const go = (to: number) => void navigate({ to: ".", search: { view: "text", page: to } });
  return (
    <article className="grid gap-3">
      {pages.length > 1 && (
        <div className="flex items-center gap-1">
          <IconButton
            icon={ChevronLeft}
            label={texts.previous}
            disabled={page === 1}
            onClick={() => go(page - 1)}
          />
          <span role="status">{texts.partOf[kind](page, pages.length)}</span>
          <IconButton
            icon={ChevronRight}
            label={texts.next}
            disabled={page === pages.length}
            onClick={() => go(page + 1)}
          />
        </div>
      )}
      <div className="max-w-measure text-base">
        <Markdown text={pages[page - 1] ?? ""} />
      </div>
    </article>
  );
}

function Chunks({ id }: { id: string }) {
  const texts = useDocumentTexts();
  const placeOf = usePlace();
  const list = useList(chunksQuery(id, true));
  return (
    <div className="grid gap-2">
      <p className="text-muted">{texts.chunksHint}</p>
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ol className="grid gap-2">
        {list.data?.items.map((chunk, at) => (
          <li key={chunk.id} className="rounded-lg border border-hairline bg-raised p-3">
            <p className="mb-1 text-xs text-muted">
              {texts.chunk(at + 1)}
              {placeOf(chunk) && (
                <>
                  {" "}
                  · <bdi>{placeOf(chunk)}</bdi>
                </>
              )}
            </p>
            <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
              {chunk.content}
            </p>
          </li>
        ))}
      </ol>
      <More list={list} />
    </div>
  );
}

/** The picture of a document that is one; nothing where it cannot be shown. */
function Picture({ document }: { document: StoredDocument }) {
  const { id, fileName, mimeType } = document;
  const [isBroken, setBroken] = useState(false);
  if (isBroken || !isPicture(mimeType)) return null;
  return (
    <img
      src={inlineAddress(id)}
      alt={fileName}
      onError={() => setBroken(true)}
      className="max-h-96 max-w-full justify-self-start rounded border border-hairline"
    />
  );
}
