import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { texts } from "../../texts/language.ts";
import { FileIcon } from "../../ui/file-icon.tsx";
import { join } from "../../ui/join.ts";
import { Panel } from "../../ui/panel.tsx";
import { PartText } from "../part-text.tsx";
import type { PassageProps } from "../passage.tsx";
import { PassageHead, type PassageSource } from "../passage-head.tsx";
import { pageCountQuery, partCountQuery } from "../queries.ts";
import { PageFoot, type Zoom } from "./page-foot.tsx";
import { PagePicture } from "./page-picture.tsx";

type View = "page" | "text";
interface Open {
  /** The passage that was open when the page was turned. */
  of: string;
  page: number;
}

const pageOf = ({ place, pageNumber }: PassageSource) => place?.part ?? pageNumber ?? 1;
const keyOf = ({ documentId, content }: PassageSource) => `${documentId} ${content}`;

/** A page of a PDF as it looks, with the cited sentence marked, or its text. */
export function OriginalPassage({ source, said, tabs = [], onClose }: PassageProps) {
  const [view, setView] = useState<View>("page");
  const [zoom, setZoom] = useState<Zoom>(1);
  const [turned, setTurned] = useState<Open>();
  const cited = pageOf(source);
  const page = turned?.of === keyOf(source) ? turned.page : cited;
  const isPicture = view === "page";
  const pages = usePageCount(source.documentId, page, isPicture);
  return (
    <Panel
      title={source.fileName}
      icon={<FileIcon name={source.fileName} isBare />}
      head={
        <PassageHead source={source} tabs={tabs}>
          <Views view={view} onView={setView} />
        </PassageHead>
      }
      foot={
        <PageFoot
          page={page}
          pages={pages}
          zoom={isPicture ? zoom : undefined}
          onPage={(to) => setTurned({ of: keyOf(source), page: to })}
          onZoom={setZoom}
        />
      }
      onClose={onClose}
    >
      {isPicture ? (
        <PagePicture
          key={`${source.documentId} ${page}`}
          source={source}
          said={said}
          page={page}
          isCited={page === cited}
          zoom={zoom}
        />
      ) : (
        <PartText source={source} said={page === cited ? said : undefined} part={page} />
      )}
    </Panel>
  );
}

/** Where no page was drawn, the parts of the text count; they are as many, or just one. */
function usePageCount(id: string, page: number, isPicture: boolean): number | undefined {
  const drawn = useQuery({ ...pageCountQuery(id, page), enabled: isPicture });
  const isUnknown = drawn.data === undefined && (!isPicture || drawn.isError);
  const { data: parts = 1 } = useQuery({ ...partCountQuery(id), enabled: isUnknown });
  return drawn.data ?? (parts >= page && parts > 1 ? parts : undefined);
}

function Views({ view, onView }: { view: View; onView: (view: View) => void }) {
  const words = useViewTexts();
  return (
    <div
      role="group"
      aria-label={words.views}
      className="ml-auto inline-flex rounded-md bg-sunken p-0.5"
    >
      {(["page", "text"] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === view}
          onClick={() => onView(one)}
          className={join(
            "min-h-7 rounded px-3 pointer-coarse:min-h-11",
            one === view
              ? "bg-thumb font-medium text-ink shadow-1"
              : "text-muted hover:text-ink",
          )}
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
