import { useState } from "react";
import type { PassageSource } from "../passage-head.tsx";
import type { Zoom } from "./page-foot.tsx";

export type View = "page" | "text";
interface Turned {
  /** The passage that was open when the page was turned. */
  of: string;
  page: number;
}

export type Reading = ReturnType<typeof useReading>;

/** How the pages of a file are read. Another passage begins at its page, and is read alike. */
export function useReading(source: PassageSource) {
  const [view, setView] = useState<View>("page");
  const [zoom, setZoom] = useState<Zoom>(1);
  const [turned, setTurned] = useState<Turned>();
  const [broken, setBroken] = useState<string>();
  const { documentId, content, place, pageNumber } = source;
  const of = `${documentId} ${content}`;
  const cited = place?.part ?? pageNumber ?? 1;
  const page = turned?.of === of ? turned.page : cited;
  const pageKey = `${documentId} ${page}`;
  return {
    view,
    setView,
    zoom,
    setZoom,
    page,
    /** Whether the picture of the page did not load. */
    isBroken: broken === pageKey,
    setBroken: (isBroken: boolean) => setBroken(isBroken ? pageKey : undefined),
    isCited: page === cited,
    turnTo: (to: number) => setTurned({ of, page: to }),
  };
}
