import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { sentenceCiting } from "./citations.ts";
import { usePlace } from "../texts/place.ts";
import { FileIcon } from "../ui/file-icon.tsx";
import type { ThreadMessage } from "./queries.ts";
import { quoteOf } from "./quote-of.ts";

/** The number of a citation in the text, that the reader points at or that has the focus. */
export interface PointedCite {
  index: number;
  mark: HTMLElement;
}

interface CiteCardProps {
  pointed: PointedCite | undefined;
  sources: ThreadMessage["sources"];
  /** The answer. */
  text: string;
}

const SHOW_AFTER_MS = 150;
/** So that the pointer can reach the card, whose words may be selected. */
const HIDE_AFTER_MS = 200;
const GAP_PX = 6;

/** Where a source stands and what it says, at its number, while its note is out of sight. */
export function CiteCard({ pointed, sources, text }: CiteCardProps) {
  const [shown, setShown] = useState<PointedCite>();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (pointed && !isNoteInSight(pointed)) {
      const timer = setTimeout(() => setShown(pointed), SHOW_AFTER_MS);
      return () => clearTimeout(timer);
    }
    if (isOver) return undefined;
    const timer = setTimeout(() => setShown(undefined), HIDE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [pointed, isOver]);
  const source = shown && sources.find(({ index }) => index === shown.index);
  if (!shown || !source) return null;
  return (
    <Card
      key={shown.index}
      mark={shown.mark}
      source={source}
      said={sentenceCiting(text, shown.index)}
      onOver={setOver}
      onClose={() => {
        setOver(false);
        setShown(undefined);
      }}
    />
  );
}

interface CardProps {
  mark: HTMLElement;
  source: ThreadMessage["sources"][number];
  said: string | undefined;
  onOver: (isOver: boolean) => void;
  onClose: () => void;
}

function Card({ mark, source, said, onOver, onClose }: CardProps) {
  const { index, fileName, content, url } = source;
  const place = usePlace()(source);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    box.current.showPopover();
    placeAt(box.current, mark);
    mark.setAttribute("aria-describedby", id);
    return () => mark.removeAttribute("aria-describedby");
  }, [mark, id]);
  useCloseOn(onClose);
  return (
    <div
      ref={box}
      id={id}
      role="tooltip"
      popover="manual"
      onPointerEnter={() => onOver(true)}
      onPointerLeave={() => onOver(false)}
      className={
        "animate-appear fixed inset-auto m-0 w-80 max-w-[calc(100vw-1rem)] rounded-lg border " +
        "border-hairline-strong bg-raised p-3 text-sm text-ink shadow-3"
      }
    >
      <span className="flex items-center gap-1.5">
        <span className="text-xs font-semibold text-accent">{index}</span>
        <FileIcon name={fileName} isPage={url !== undefined} isBare />
        <bdi className="min-w-0 truncate font-medium">{fileName}</bdi>
        <bdi className="min-w-0 shrink-2 truncate text-muted empty:hidden">{place}</bdi>
      </span>
      <q
        dir="auto"
        className="mt-1 line-clamp-6 font-serif text-md leading-snug text-muted"
      >
        {quoteOf(content, said)}
      </q>
    </div>
  );
}

/** Escape closes it, and whatever moves the number away from it. */
function useCloseOn(onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const controller = new AbortController();
    const options = { capture: true, signal: controller.signal };
    const now = () => close.current();
    addEventListener("keydown", ({ key }) => key === "Escape" && now(), options);
    addEventListener("pointerdown", now, options);
    addEventListener("scroll", now, options);
    addEventListener("resize", now, options);
    return () => controller.abort();
  }, []);
}

/** Below the number, or above it where there is more room, within the window. */
function placeAt(box: HTMLElement, mark: HTMLElement): void {
  const { left, top, bottom } = mark.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const isBelow = bottom + GAP_PX + height <= innerHeight || top < innerHeight - bottom;
  const x = Math.min(left - GAP_PX, innerWidth - width - GAP_PX);
  box.style.left = `${Math.max(GAP_PX, x)}px`;
  box.style.top = `${isBelow ? bottom + GAP_PX : top - GAP_PX - height}px`;
}

/** Whether the margin shows the note of a number: then the note is lit instead. */
function isNoteInSight({ index, mark }: PointedCite): boolean {
  const note = mark.closest("article")?.querySelector(`[data-note="${index}"]`);
  const area = note?.closest("[role=log]") ?? document.documentElement;
  if (!note) return false;
  const { top, bottom, height } = note.getBoundingClientRect();
  const { top: first, bottom: last } = area.getBoundingClientRect();
  return height > 0 && bottom > Math.max(0, first) && top < Math.min(innerHeight, last);
}
