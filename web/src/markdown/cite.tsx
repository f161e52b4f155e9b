import { createContext, use } from "react";

/** Where the numbers of citations lead. */
export interface CiteHandler {
  /** Whether there is a source with this number. */
  has: (index: number) => boolean;
  /** What a screen reader says of it. */
  label: (index: number) => string;
  onOpen: (index: number) => void;
  /** The number that the reader points at. */
  onPoint?: (index: number | undefined) => void;
}

export const CiteContext = createContext<CiteHandler | undefined>(undefined);

/** The numbers of one citation, each a button that opens the passage. */
export function Cite({ raw, indexes }: { raw: string; indexes: number[] }) {
  const cites = use(CiteContext);
  const known = indexes.filter((index) => cites?.has(index));
  if (!cites || known.length === 0) return raw;
  return (
    <sup className="whitespace-nowrap">
      {known.map((index) => (
        <button
          key={index}
          type="button"
          data-cite={index}
          aria-label={cites.label(index)}
          onClick={() => cites.onOpen(index)}
          onMouseEnter={() => cites.onPoint?.(index)}
          onMouseLeave={() => cites.onPoint?.(undefined)}
          onFocus={() => cites.onPoint?.(index)}
          onBlur={() => cites.onPoint?.(undefined)}
          className={
            // the area that takes a click is larger than the number
            "relative rounded-sm px-0.5 font-sans text-xs font-semibold text-accent " +
            "after:absolute after:-inset-x-1.5 after:-inset-y-1 after:content-[''] " +
            "pointer-coarse:after:-inset-3 hover:bg-mark hover:text-ink"
          }
        >
          {index}
        </button>
      ))}
    </sup>
  );
}
