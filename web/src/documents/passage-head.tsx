import { Download } from "lucide-react";
import type { TableOfSource } from "../../../src/services/core/sources/contract.ts";
import type { Place as TextPlace } from "../../../src/services/embedding/contract-places.ts";
import { formatTime } from "../texts/format.ts";
import { texts } from "../texts/language.ts";
import { usePlace } from "../texts/place.ts";
import { join } from "../ui/join.ts";
import { contentAddress } from "./queries.ts";

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
}: {
  source: PassageSource;
  tabs: readonly PassageTab[];
}) {
  const texts = usePassageTexts();
  const where = usePlace()(source);
  const { documentId, url, fetchedAt } = source;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-1 text-sm text-muted">
      {tabs.length > 1 && (
        <div role="group" aria-label={texts.sources} className="flex flex-wrap gap-1">
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
        </div>
      )}
      {where && <bdi>{where}</bdi>}
      {url === undefined ? <FileLink documentId={documentId} /> : <WebLink url={url} />}
      {fetchedAt && <span>{texts.readAt(formatTime(fetchedAt))}</span>}
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
  readAt: (time: string) => `Read ${time}`,
};
const de = {
  download: "Datei herunterladen",
  sources: "Quellen der Antwort",
  readAt: (time: string) => `Gelesen ${time}`,
} satisfies typeof en;

const usePassageTexts = texts({ en, de });
