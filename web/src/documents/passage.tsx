import { type QueryClient, useQuery } from "@tanstack/react-query";
import { MessageSquarePlus } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { isOverPage, Panel } from "../ui/panel.tsx";
import { Loading } from "../ui/loading.tsx";
import { OriginalFoot, OriginalPassage, Views } from "./original/original-passage.tsx";
import { useReading } from "./original/use-reading.ts";
import { PageText } from "./page-text.tsx";
import { PartText } from "./part-text.tsx";
import { PassageHead, type PassageSource, type PassageTab } from "./passage-head.tsx";
import {
  documentQuery,
  originalPageQuery,
  pageNowQuery,
  pictureAddress,
} from "./queries.ts";
import { TablePassage } from "./table-passage.tsx";
import { toReportedFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { formatTime } from "../texts/format.ts";
import { texts } from "../texts/language.ts";
import { TextChanges } from "../ui/text-changes.tsx";

const PDF = "application/pdf";

/** Reads what the panel of a source will show, before it is opened. */
export async function preparePassage(
  queries: QueryClient,
  { documentId, table, url, place, pageNumber }: PassageSource,
): Promise<void> {
  if (table || url !== undefined) return;
  await queries.prefetchQuery(documentQuery(documentId));
  const document = queries.getQueryData(documentQuery(documentId).queryKey);
  if (document?.mimeType !== PDF) return;
  const page = place?.part ?? pageNumber ?? 1;
  new Image().src = pictureAddress(documentId, page);
  await queries.prefetchQuery(originalPageQuery(documentId, page));
}

interface PassageProps {
  source: PassageSource;
  /** The sources beside it; none if there is only this one. */
  tabs?: readonly PassageTab[];
  /** The sentence of the answer that cites it. */
  said?: string | undefined;
  /** Takes the document, and the page that is shown, as what the next message is about. */
  onAsk?: ((file: AskedFile, page: number | undefined) => void) | undefined;
  /** Lies over the page: a canvas is beside it. */
  isOver?: boolean | undefined;
  onClose: () => void;
}

/** A document as a message takes it. */
interface AskedFile {
  documentId: string;
  name: string;
  size: number;
  type: string;
}

/** The words that an answer cites, marked on their page, sheet or chapter. */
export function Passage(props: PassageProps) {
  const { source, said, tabs = [], onAsk, isOver, onClose } = props;
  const { documentId, fileName, table, url } = source;
  const isFile = !table && url === undefined;
  const { data: document, isPending } = useQuery({
    ...documentQuery(documentId),
    enabled: isFile,
  });
  const isPdf = isFile && document?.mimeType === PDF;
  const reading = useReading(source);
  // one panel for all of them: going from one to the next keeps the focus
  return (
    <Panel
      title={fileName}
      icon={<FileIcon name={fileName} isPage={url !== undefined} isBare />}
      head={
        <PassageHead source={source} tabs={tabs}>
          {isPdf && <Views view={reading.view} setView={reading.setView} />}
        </PassageHead>
      }
      foot={
        document &&
        (isPdf || onAsk) && (
          <div className="flex flex-wrap items-center gap-2">
            {isPdf && (
              <div className="grow">
                <OriginalFoot source={source} reading={reading} />
              </div>
            )}
            {onAsk && (
              <AskAbout
                isPage={isPdf}
                onClick={() => {
                  const { id: documentId, fileName: name, size, mimeType: type } = document;
                  onAsk({ documentId, name, size, type }, isPdf ? reading.page : undefined);
                  if (isOver || isOverPage()) onClose();
                }}
              />
            )}
          </div>
        )
      }
      isOver={isOver}
      onClose={onClose}
    >
      {table && <TablePassage table={table} />}
      {!table && url !== undefined && (
        <WebPassage url={url} content={source.content} said={said} />
      )}
      {isFile && isPending && <Loading lines={8} className="px-0" />}
      {isPdf && <OriginalPassage source={source} said={said} reading={reading} />}
      {isFile && !isPending && !isPdf && <PartText source={source} said={said} />}
    </Panel>
  );
}

interface AskAboutProps {
  /** Whether it is one page of several. */
  isPage: boolean;
  onClick: () => void;
}

function AskAbout({ isPage, onClick }: AskAboutProps) {
  const words = usePageNowTexts();
  return (
    <Button look="quiet" className="ml-auto" onClick={onClick}>
      <MessageSquarePlus aria-hidden size={16} />
      {isPage ? words.askPage : words.askFile}
    </Button>
  );
}

/** The words that a page of the web had when the answer was written. */
function WebPassage({ url, content, said }: PageNowProps & Pick<PassageProps, "said">) {
  return (
    <div className="grid gap-4">
      <PageNow url={url} content={content} />
      <PageText text={content} passage={content} said={said} />
    </div>
  );
}

interface PageNowProps {
  url: string;
  /** The words as the answer keeps them. */
  content: string;
}

/** Says whether a page of the web has changed since an answer cited it, and what. */
function PageNow({ url, content }: PageNowProps) {
  const words = usePageNowTexts();
  const { data, error } = useQuery(pageNowQuery(url, content));
  const problem = useErrorText(data?.problem && toReportedFailure(data.problem));
  // who may not use the web, or cannot now, reads the words as they are kept
  if (error || !data) return null;
  if (data.state === "same")
    return (
      <p role="status" className="text-xs text-muted">
        {words.same(formatTime(data.readAt ?? ""))}
      </p>
    );
  const isGone = data.state === "unreadable";
  return (
    <div
      role="status"
      className="grid gap-2 rounded-r-md border-l-3 border-warn bg-warn-soft p-3 text-sm"
    >
      <p>
        <strong className="font-semibold">{isGone ? words.gone : words.changed}</strong>{" "}
        {isGone ? problem : data.changes ? words.now : words.nothingAlike}
      </p>
      {data.changes && <TextChanges changes={data.changes} context={200} />}
    </div>
  );
}

const en = {
  same: (time: string) => `The page still says this (${time}).`,
  changed: "This page has changed since.",
  gone: "This page cannot be compared.",
  now: "What it says now:",
  askPage: "Ask about this page",
  askFile: "Ask about this document",
  nothingAlike: "No part of it is like the words below.",
};
const de = {
  same: (time: string) => `Die Seite sagt das noch (${time}).`,
  changed: "Diese Seite hat sich seither geändert.",
  gone: "Diese Seite lässt sich nicht vergleichen.",
  now: "Das steht dort jetzt:",
  askPage: "Zu dieser Seite fragen",
  askFile: "Zu diesem Dokument fragen",
  nothingAlike: "Kein Teil von ihr gleicht den Worten unten.",
} satisfies typeof en;

const usePageNowTexts = texts({ en, de });
