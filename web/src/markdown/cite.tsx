import { createContext, use } from "react";

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
          onClick={() => cites.onOpen(index)}
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
            // the area that takes a click is larger than the number, and ends where the next begins
            "relative mx-1 min-w-4 pointer-coarse:mx-2 pointer-coarse:min-w-7 rounded-sm bg-accent-soft px-1 text-center font-sans " +
            "text-[0.6875rem] leading-4 font-semibold text-accent hover:bg-accent " +
            "hover:text-on-accent after:absolute after:-inset-x-1 after:-inset-y-1 " +
            "after:content-[''] pointer-coarse:after:-inset-x-2 pointer-coarse:after:-inset-y-3.5"
          }
        >
          {index}
        </button>
      ))}
    </sup>
  );
}
