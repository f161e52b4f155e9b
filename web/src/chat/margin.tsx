import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

/** Something beside the text: at the first place that cites it, or at the top. */
export interface Note {
  key: string;
  /** The number of the citation that it stands beside. */
  cite?: number;
  /** Where the answer has its place for it, which is there on narrow screens, too. */
  place?: number;
  content: ReactNode;
}

interface MarginProps {
  notes: readonly Note[];
  /** The text that the notes stand beside. */
  column: RefObject<HTMLElement | null>;
}

const GAP_PX = 12;

/**
 * The margin of an answer on wide screens: each note stands beside the sentence that it belongs to,
 * or below the note before it.
 */
export function Margin({ notes, column }: MarginProps) {
  const box = useRef<HTMLDivElement>(null);
  const [tops, setTops] = useState<readonly number[]>([]);
  const [height, setHeight] = useState(0);
  const hasNotes = notes.length > 0;
  useLayoutEffect(() => {
    const chat = box.current?.closest<HTMLElement>(".chat");
    return hasNotes && chat ? makeRoom(chat) : undefined;
  }, [hasNotes]);
  useLayoutEffect(() => {
    if (!box.current || !column.current) return;
    const placed = place(box.current, column.current, notes);
    setTops((before) => (isSame(before, placed.tops) ? before : placed.tops));
    setHeight(placed.height);
  });
  useRelayout(column);
  if (!hasNotes) return <div className="hidden notes:block" />;
  return (
    <div
      ref={box}
      data-notes
      className="relative hidden text-sm notes:block"
      style={{ minHeight: height }}
    >
      {notes.map(({ key, content }, at) => (
        <div key={key} className="absolute w-full" style={{ top: tops[at] ?? 0 }}>
          {content}
        </div>
      ))}
    </div>
  );
}

/** Lets the text of a chat leave room for a margin. Returns how to end that. */
function makeRoom({ dataset }: HTMLElement): () => void {
  const count = (by: number) => {
    const margins = Number(dataset["margins"] ?? 0) + by;
    if (margins > 0) dataset["margins"] = String(margins);
    else delete dataset["margins"];
  };
  count(1);
  return () => count(-1);
}

function place(box: HTMLElement, column: HTMLElement, notes: readonly Note[]) {
  const origin = box.getBoundingClientRect().top;
  const wanted = notes.map((note, at) => {
    const mark = markOf(note, column);
    return { at, top: mark ? mark.getBoundingClientRect().top - origin : 0 };
  });
  const tops: number[] = [];
  let free = 0;
  for (const { at, top } of wanted.toSorted((one, other) => one.top - other.top)) {
    const own = Math.round(Math.max(top, free));
    tops[at] = own;
    free = own + (box.children[at]?.clientHeight ?? 0) + GAP_PX;
  }
  return { tops, height: free };
}

/** What a note stands beside; none: it stands at the top. */
function markOf({ cite, place: at }: Note, column: HTMLElement): Element | null {
  if (cite !== undefined) return column.querySelector(`[data-cite="${cite}"]`);
  return at === undefined ? null : column.querySelector(`[data-place="${at}"]`);
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

/** Renders again when the width changes: the sentences move. */
function useRelayout(column: RefObject<HTMLElement | null>): void {
  const [, relayout] = useState(0);
  useEffect(() => {
    if (!column.current) return undefined;
    const observer = new ResizeObserver(([entry]) =>
      relayout(Math.round(entry?.contentRect.width ?? 0)),
    );
    observer.observe(column.current);
    return () => observer.disconnect();
  }, [column]);
}
