import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { TableOfSource } from "../../../src/services/core/sources/contract.ts";
import type { Place as TextPlace } from "../../../src/services/embedding/contract-places.ts";
import { formatTime } from "../texts/format.ts";
import { texts } from "../texts/language.ts";
import { usePlace } from "../texts/place.ts";
import { join } from "../ui/join.ts";
import { contentAddress } from "./queries.ts";
import { Turn } from "./turn.tsx";

export interface PassageSource {
  documentId: string;
  fileName: string;
  pageNumber: number | null;
  place?: TextPlace | undefined;
  content: string;
  /** Of a page of the web. */
  url?: string | undefined;
  fetchedAt?: string | undefined;
  /** Of an answer that was computed over tables. */
  table?: TableOfSource | undefined;
}

/** One of the sources of an answer. */
export interface PassageTab {
  /** Its number in the answer. */
  index: number;
  isOpen: boolean;
  label: string;
  onOpen: () => void;
}

/** The numbers of the answer's sources, the page, and the file itself. */
export function PassageHead({
  source,
  tabs,
  children,
}: {
  source: PassageSource;
  tabs: readonly PassageTab[];
  /** At the end of the line. */
  children?: ReactNode;
}) {
  const texts = usePassageTexts();
  const where = usePlace()(source);
  const { documentId, url, fetchedAt } = source;
  return (
    <div className="grid gap-1 pb-1 text-sm text-muted">
      <div className="flex min-w-0 items-center gap-x-3 empty:hidden">
        {tabs.length > 1 && <Tabs tabs={tabs} />}
        {children}
      </div>
      <div className="flex min-w-0 items-center gap-x-3">
        {where && <bdi className="shrink-0">{where}</bdi>}
        {url === undefined ? <FileLink documentId={documentId} /> : <WebLink url={url} />}
        {fetchedAt && (
          <span className="ml-auto shrink-0">{texts.readAt(formatTime(fetchedAt))}</span>
        )}
      </div>
    </div>
  );
}

/** The numbers of the sources in one line, which scrolls where there are many. */
function Tabs({ tabs }: { tabs: readonly PassageTab[] }) {
  const texts = usePassageTexts();
  const line = useRef<HTMLDivElement>(null);
  const open = tabs.findIndex(({ isOpen }) => isOpen);
  useEffect(() => {
    line.current
      ?.querySelector('[aria-pressed="true"]')
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [open]);
  return (
    <div
      role="group"
      aria-label={texts.sources}
      className="flex min-w-0 items-center gap-1"
    >
      <Turn
        icon={ChevronLeft}
        label={texts.previousSource}
        isEnd={open <= 0}
        onTurn={() => tabs[open - 1]?.onOpen()}
      />
      <div
        ref={line}
        className="-my-1 flex min-w-0 gap-1 overflow-x-auto p-1 [scrollbar-width:none]"
      >
        {tabs.map(({ index, isOpen, label, onOpen }) => (
          <button
            key={index}
            type="button"
            aria-label={label}
            title={label}
            aria-pressed={isOpen}
            onClick={onOpen}
            className={join(
              "min-h-8 min-w-8 shrink-0 rounded-md px-2 font-semibold tabular-nums",
              "pointer-coarse:min-h-11 pointer-coarse:min-w-11",
              isOpen ? "bg-accent text-on-accent" : "hover:bg-hover hover:text-ink",
            )}
          >
            {index}
          </button>
        ))}
      </div>
      <Turn
        icon={ChevronRight}
        label={texts.nextSource}
        isEnd={open === tabs.length - 1}
        onTurn={() => tabs[open + 1]?.onOpen()}
      />
    </div>
  );
}

function FileLink({ documentId }: Pick<PassageSource, "documentId">) {
  const texts = usePassageTexts();
  return (
    <a
      href={contentAddress(documentId)}
      className="inline-flex min-h-6 shrink-0 items-center gap-1 text-accent underline"
      download
    >
      <Download aria-hidden size={14} />
      {texts.download}
    </a>
  );
}

function WebLink({ url }: { url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      title={url}
      className="inline-flex min-h-6 min-w-0 items-center text-accent underline"
    >
      <bdi className="truncate">{url}</bdi>
    </a>
  );
}

const en = {
  download: "Download the file",
  sources: "Sources of the answer",
  previousSource: "Previous source",
  nextSource: "Next source",
  readAt: (time: string) => `Read ${time}`,
};
const de = {
  download: "Datei herunterladen",
  sources: "Quellen der Antwort",
  previousSource: "Vorige Quelle",
  nextSource: "Nächste Quelle",
  readAt: (time: string) => `Gelesen ${time}`,
} satisfies typeof en;

const usePassageTexts = texts({ en, de });
