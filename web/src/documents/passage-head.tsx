import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import type { ReactNode } from "react";
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
  const open = tabs.findIndex(({ isOpen }) => isOpen);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-1 text-sm text-muted">
      {tabs.length > 1 && (
        <div
          role="group"
          aria-label={texts.sources}
          className="flex flex-wrap items-center gap-1"
        >
          <Turn
            icon={ChevronLeft}
            label={texts.previousSource}
            isEnd={open <= 0}
            onTurn={() => tabs[open - 1]?.onOpen()}
          />
          {tabs.map(({ index, isOpen, label, onOpen }) => (
            <button
              key={index}
              type="button"
              aria-label={label}
              title={label}
              aria-pressed={isOpen}
              onClick={onOpen}
              className={join(
                "min-h-8 min-w-8 rounded-md px-2 font-semibold tabular-nums",
                "pointer-coarse:min-h-11 pointer-coarse:min-w-11",
                isOpen ? "bg-accent text-on-accent" : "hover:bg-hover hover:text-ink",
              )}
            >
              {index}
            </button>
          ))}
          <Turn
            icon={ChevronRight}
            label={texts.nextSource}
            isEnd={open === tabs.length - 1}
            onTurn={() => tabs[open + 1]?.onOpen()}
          />
        </div>
      )}
      {where && <bdi>{where}</bdi>}
      {url === undefined ? <FileLink documentId={documentId} /> : <WebLink url={url} />}
      {fetchedAt && <span>{texts.readAt(formatTime(fetchedAt))}</span>}
      {children}
    </div>
  );
}

function FileLink({ documentId }: Pick<PassageSource, "documentId">) {
  const texts = usePassageTexts();
  return (
    <a
      href={contentAddress(documentId)}
      className="inline-flex min-h-6 items-center gap-1 text-accent underline"
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
      className="inline-flex min-h-6 items-center text-accent underline wrap-anywhere"
    >
      <bdi>{url}</bdi>
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
