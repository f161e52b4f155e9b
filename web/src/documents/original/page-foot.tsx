import { ChevronLeft, ChevronRight, MoveHorizontal, ZoomIn, ZoomOut } from "lucide-react";
import { texts } from "../../texts/language.ts";
import { Turn } from "../turn.tsx";

/** Of the width of the panel. */
const ZOOMS = [1, 1.5, 2, 3] as const;
export type Zoom = (typeof ZOOMS)[number];

interface PageFootProps {
  page: number;
  /** How many there are, once it is known. */
  pages: number | undefined;
  /** Undefined where there is nothing to enlarge. */
  zoom: Zoom | undefined;
  onPage: (page: number) => void;
  onZoom: (zoom: Zoom) => void;
}

/** Turns the pages, and makes them larger. */
export function PageFoot({ page, pages, zoom, onPage, onZoom }: PageFootProps) {
  const words = useFootTexts();
  const at = zoom === undefined ? -1 : ZOOMS.indexOf(zoom);
  const step = (by: number) => {
    const next = ZOOMS[at + by];
    if (next !== undefined) onZoom(next);
  };
  return (
    <div className="flex items-center gap-1 text-sm text-muted">
      <Turn
        icon={ChevronLeft}
        label={words.previous}
        isEnd={page <= 1}
        onTurn={() => onPage(page - 1)}
      />
      <span role="status" className="px-1 tabular-nums">
        {pages === undefined ? words.page(page) : words.pageOf(page, pages)}
      </span>
      <Turn
        icon={ChevronRight}
        label={words.next}
        isEnd={pages === undefined || page >= pages}
        onTurn={() => onPage(page + 1)}
      />
      {zoom !== undefined && (
        <div className="ml-auto flex items-center gap-1">
          <Turn
            icon={ZoomOut}
            label={words.smaller}
            isEnd={at <= 0}
            onTurn={() => step(-1)}
          />
          <Turn
            icon={ZoomIn}
            label={words.larger}
            isEnd={at === ZOOMS.length - 1}
            onTurn={() => step(1)}
          />
          <Turn
            icon={MoveHorizontal}
            label={words.toWidth}
            isEnd={zoom === 1}
            onTurn={() => onZoom(1)}
          />
        </div>
      )}
    </div>
  );
}

const en = {
  previous: "Previous page",
  next: "Next page",
  page: (page: number) => `Page ${page}`,
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  smaller: "Smaller",
  larger: "Larger",
  toWidth: "As wide as the panel",
};
const de = {
  previous: "Vorige Seite",
  next: "Nächste Seite",
  page: (page: number) => `Seite ${page}`,
  pageOf: (page: number, pages: number) => `Seite ${page} von ${pages}`,
  smaller: "Kleiner",
  larger: "Größer",
  toWidth: "So breit wie das Feld",
} satisfies typeof en;
const useFootTexts = texts({ en, de });
