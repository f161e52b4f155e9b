import { createContext, type MouseEvent, use } from "react";
import { decodeEntities } from "./decode-entities.ts";

/** Where the numbers of citations lead. */
export interface CiteHandler {
  /** Whether there is a source with this number. */
  has: (index: number) => boolean;
  /** What a screen reader says of it. */
  label: (index: number) => string;
  onOpen: (index: number) => void;
  /** The number that the reader points at, or that has the focus of the keyboard. */
  onPoint?: (pointed: { index: number; mark: HTMLElement } | undefined) => void;
}

export const CiteContext = createContext<CiteHandler | undefined>(undefined);

/** A number stands at the word that it belongs to, also where the model wrote a space between. */
export function TextBeforeCite({ text, indexes }: { text: string; indexes: number[] }) {
  const cites = use(CiteContext);
  const shown = decodeEntities(text);
  const isListed = /[,;:]\s$/.test(shown); // as the second of two citations
  return !isListed && indexes.some((index) => cites?.has(index)) ? shown.trimEnd() : shown;
}

/** The numbers of one citation, each a button that opens the passage. */
export function Cite({ raw, indexes }: { raw: string; indexes: number[] }) {
  const cites = use(CiteContext);
  const known = indexes.filter((index) => cites?.has(index));
  if (!cites || known.length === 0) return raw;
  return (
    <sup
      // a number never begins a line
      className="whitespace-nowrap before:content-['\2060']"
    >
      {known.map((index) => (
        <button
          key={index}
          type="button"
          data-cite={index}
          aria-label={cites.label(index)}
          onClick={(event) => cites.onOpen(nearestTo(event) ?? index)}
          onPointerEnter={({ pointerType, currentTarget: mark }) =>
            // a finger does not point: it opens
            pointerType !== "touch" && cites.onPoint?.({ index, mark })
          }
          onPointerLeave={() => cites.onPoint?.(undefined)}
          onFocus={({ currentTarget: mark }) =>
            mark.matches(":focus-visible") && cites.onPoint?.({ index, mark })
          }
          onBlur={() => cites.onPoint?.(undefined)}
          className={
            // the area that takes a click is larger than the number, and may lie over another's
            "relative mx-0.5 min-w-4 rounded-sm bg-accent-soft px-1 text-center font-sans " +
            "pointer-coarse:min-w-5 " +
            "text-[0.6875rem] leading-4 font-semibold text-accent hover:bg-accent " +
            "hover:text-on-accent after:absolute after:-inset-1 after:content-[''] " +
            "pointer-coarse:after:-inset-x-3 pointer-coarse:after:-inset-y-3.5"
          }
        >
          {index}
        </button>
      ))}
    </sup>
  );
}

/** Areas of adjacent numbers overlap: the number that is nearest to the pointer takes the click. */
function nearestTo({ detail, clientX, clientY, currentTarget }: MouseEvent<HTMLElement>) {
  if (detail === 0) return undefined; // a key, which is pressed on a number
  const all = currentTarget
    .closest(".markdown")
    ?.querySelectorAll<HTMLElement>("[data-cite]");
  let nearest: HTMLElement = currentTarget;
  for (const mark of all ?? []) {
    if (distance(mark, clientX, clientY) < distance(nearest, clientX, clientY))
      nearest = mark;
  }
  return Number(nearest.dataset["cite"]);
}

/** Of a point to the edge of an element. */
function distance(element: HTMLElement, x: number, y: number): number {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));
}
