import { useQuery } from "@tanstack/react-query";
import { texts } from "../../texts/language.ts";
import { SEGMENTS_LOOK, segmentLook } from "../../ui/segments.ts";
import { PartText } from "../part-text.tsx";
import type { PassageSource } from "../passage-head.tsx";
import { pageCountQuery, partCountQuery } from "../queries.ts";
import { PageFoot } from "./page-foot.tsx";
import { PagePicture } from "./page-picture.tsx";
import type { Reading } from "./use-reading.ts";

interface OriginalProps {
  source: PassageSource;
  reading: Reading;
}

/** A page of a PDF as it looks, with the cited sentence marked, or its text. */
export function OriginalPassage({
  source,
  said,
  reading: { view, zoom, page, isCited, isBroken, setBroken },
}: OriginalProps & { said: string | undefined }) {
  if (view === "text")
    return <PartText source={source} said={isCited ? said : undefined} part={page} />;
  return (
    <PagePicture
      key={`${source.documentId} ${page}`}
      source={source}
      said={said}
      page={page}
      isCited={isCited}
      zoom={zoom}
      isBroken={isBroken}
      setBroken={setBroken}
    />
  );
}

export function OriginalFoot({ source, reading }: OriginalProps) {
  const { view, zoom, setZoom, page, turnTo, isBroken } = reading;
  const isPicture = view === "page";
  const { pages, isDrawn } = usePageCount(source.documentId, page, isPicture);
  return (
    <PageFoot
      page={page}
      pages={pages}
      zoom={isDrawn && !isBroken ? zoom : undefined}
      onPage={turnTo}
      onZoom={setZoom}
    />
  );
}

/** Where no page was drawn, the parts of the text count; they are as many, or just one. */
function usePageCount(id: string, page: number, isPicture: boolean) {
  const drawn = useQuery({ ...pageCountQuery(id, page), enabled: isPicture });
  const isUnknown = drawn.data === undefined && (!isPicture || drawn.isError);
  const { data: parts = 1 } = useQuery({ ...partCountQuery(id), enabled: isUnknown });
  const pages = drawn.data ?? (parts >= page && parts > 1 ? parts : undefined);
  return { pages, isDrawn: isPicture && !drawn.isError };
}

/** Whether a page is seen as it looks, or read as text. */
export function Views({ view, setView }: Pick<Reading, "view" | "setView">) {
  const words = useViewTexts();
  return (
    <div
      role="group"
      aria-label={words.views}
      className={`ml-auto shrink-0 ${SEGMENTS_LOOK}`}
    >
      {(["page", "text"] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === view}
          onClick={() => setView(one)}
          className={segmentLook(one === view)}
        >
          {words[one]}
        </button>
      ))}
    </div>
  );
}

const en = { views: "Show as", page: "Page", text: "Text" };
const de = { views: "Anzeigen als", page: "Seite", text: "Text" } satisfies typeof en;
const useViewTexts = texts({ en, de });
