import type { ReactNode } from "react";
import { join } from "./join.ts";
import { useUiTexts } from "./texts.ts";
import { useLate } from "./use-late.ts";

interface LoadingProps {
  /** What will be there. Default: a text. */
  shape?: keyof typeof SHAPES;
  /** How many lines, rows, cards, fields or messages there are. */
  lines?: number;
  className?: string;
}

/**
 * The outline of what loads, where it will be, shown and announced after a moment. It holds still
 * for those who want no motion.
 */
export function Loading({ shape = "text", lines, className }: LoadingProps) {
  const texts = useUiTexts();
  const isLate = useLate(true);
  const { count, box, draw } = SHAPES[shape];
  // screen readers announce what comes into a region that is already there
  return (
    <div
      role="status"
      data-shape={shape}
      className={join("animate-late", shape === "text" && "p-4", className)}
    >
      <span className="sr-only">{isLate && texts.loading}</span>
      <div aria-hidden className={box}>
        {Array.from({ length: lines ?? count }, (_, at) => draw(at))}
      </div>
    </div>
  );
}

interface Shape {
  count: number;
  /** Of all of them. */
  box: string;
  /** One of them: as high as most will be. */
  draw: (at: number) => ReactNode;
}

const SHAPES = {
  text: { count: 4, box: "grid gap-3", draw: drawLine },
  rows: { count: 8, box: "divide-y divide-hairline", draw: drawRow },
  list: { count: 6, box: "divide-y divide-hairline", draw: drawEntryOfList },
  menu: { count: 6, box: "grid gap-0.5", draw: drawEntry },
  cards: {
    count: 6,
    box: "grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3",
    draw: drawCard,
  },
  tiles: {
    count: 4,
    box: "grid grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] gap-3",
    draw: drawTile,
  },
  charts: {
    count: 4,
    box: "grid grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] gap-3",
    draw: drawChart,
  },
  table: { count: 8, box: "", draw: drawCells },
  fields: { count: 4, box: "grid max-w-measure gap-5", draw: drawField },
  page: {
    count: 5,
    box: "mx-auto grid max-w-[calc(60rem+3rem)] gap-5 px-4 pt-14 md:px-6 md:pt-16",
    draw: drawPart,
  },
  thread: {
    count: 4,
    // as its messages and the composer lie, with the margin for notes
    box:
      "mx-auto grid max-w-[46rem] gap-10 px-4 pt-20 pb-8 " +
      "notes:max-w-[66rem] notes:pr-[19rem] notes:pl-12",
    draw: drawMessage,
  },
} satisfies Record<string, Shape>;

/** Words are of several lengths. */
const WIDTHS = ["w-3/5", "w-2/5", "w-4/5", "w-1/2"] as const;

function widthOf(at: number): string {
  return WIDTHS[at % WIDTHS.length] ?? "";
}

/** Words, as a grey bar. */
function bar(look: string): ReactNode {
  return <span className={join("block rounded bg-sunken", look)} />;
}

function drawLine(at: number): ReactNode {
  return (
    <div key={at} className="animate-pulse">
      {bar(join("h-4", at % 4 === 3 ? "w-3/5" : "w-full"))}
    </div>
  );
}

/** A tile, a name and a quiet line below it. */
function drawRow(at: number): ReactNode {
  return (
    <div key={at} className="flex animate-pulse items-start gap-3 py-1.5">
      {bar("size-8 shrink-0 rounded-[0.55rem]!")}
      <span className="grid h-11 flex-1 content-center gap-2.5">
        {bar(join("h-3.5", widthOf(at)))}
        {bar("h-2.5 w-1/4")}
      </span>
    </div>
  );
}

/** The same without a tile. */
function drawEntryOfList(at: number): ReactNode {
  return (
    <div key={at} className="animate-pulse py-2.5">
      <span className="grid h-11 content-center gap-2.5">
        {bar(join("h-3.5", widthOf(at)))}
        {bar("h-2.5 w-1/4")}
      </span>
    </div>
  );
}

/** An entry of the sidebar. */
function drawEntry(at: number): ReactNode {
  return (
    <div key={at} className="flex h-8 animate-pulse items-center px-2.5">
      {bar(join("h-3", widthOf(at)))}
    </div>
  );
}

/** A large tile, a name, its purpose and a line at its foot. */
function drawCard(at: number): ReactNode {
  return (
    <div key={at} className="rounded-lg border border-hairline bg-raised p-4">
      <div className="grid h-34 animate-pulse content-between">
        {bar("size-10 rounded-[0.7rem]!")}
        {bar(join("h-3.5", widthOf(at)))}
        {bar("h-3 w-full")}
        {bar("h-2.5 w-2/5")}
      </div>
    </div>
  );
}

/** A card of one line: a tile, a name, and where it is. */
function drawTile(at: number): ReactNode {
  return (
    <div key={at} className="rounded-lg border border-hairline bg-raised px-4 py-3">
      <div className="flex animate-pulse items-center gap-3">
        {bar("size-8 shrink-0 rounded-[0.55rem]!")}
        <span className="grid h-10 flex-1 content-center gap-2">
          {bar(join("h-3.5", widthOf(at)))}
          {bar("h-2.5 w-1/3")}
        </span>
      </div>
    </div>
  );
}

/** The same with a small chart and a line below it. */
function drawChart(at: number): ReactNode {
  return (
    <div key={at} className="rounded-lg border border-hairline bg-raised px-4 py-3">
      <div className="grid animate-pulse gap-3">
        <span className="flex items-center gap-3">
          {bar("size-8 shrink-0 rounded-[0.55rem]!")}
          <span className="grid h-10 flex-1 content-center gap-2">
            {bar(join("h-3.5", widthOf(at)))}
            {bar("h-2.5 w-1/3")}
          </span>
        </span>
        {bar("h-7 w-full")}
        {bar("h-3 w-2/5")}
      </div>
    </div>
  );
}

/** A row of a table, below its heads; a card on a narrow screen. */
function drawCells(at: number): ReactNode {
  return (
    <div
      key={at}
      className={
        "border-b border-hairline py-3 first:before:mb-3 md:py-2.5 " +
        "md:first:before:block md:first:before:h-6 md:first:before:border-b " +
        "md:first:before:border-hairline-strong md:first:before:content-['']"
      }
    >
      <div className="grid animate-pulse gap-2.5 md:grid-cols-[2fr_1fr_1fr_1fr] md:items-center md:gap-4">
        <span className="grid h-10 content-center gap-2">
          {bar(join("h-3.5", widthOf(at)))}
          {bar("h-2.5 w-1/3")}
        </span>
        {bar("h-3 w-3/5")}
        {bar("h-3 w-2/5")}
        {bar("h-3 w-2/5 max-md:hidden")}
      </div>
    </div>
  );
}

/** A field below its label. */
function drawField(at: number): ReactNode {
  return (
    <div key={at} className="grid animate-pulse gap-2">
      {bar(join("h-3", at % 2 ? "w-36" : "w-24"))}
      {bar("h-9 w-full rounded-md!")}
    </div>
  );
}

/** The name of a page, then its parts. */
function drawPart(at: number): ReactNode {
  if (at > 0) return drawField(at);
  return (
    <div key={at} className="animate-pulse pb-3">
      {bar("h-8 w-64 max-w-full rounded-md!")}
    </div>
  );
}

/** A question at the right, with its rule; its answer at the left. */
function drawMessage(at: number): ReactNode {
  if (at % 2 === 0)
    return (
      <div key={at} className="grid animate-pulse justify-items-end">
        <span className="grid h-7 w-2/5 items-center border-r-2 border-hairline-strong pr-4">
          {bar("h-4 w-full")}
        </span>
      </div>
    );
  return (
    <div key={at} className="grid animate-pulse gap-3">
      {bar("mb-1 h-3.5 w-28")}
      {["w-full", "w-11/12", "w-full", "w-3/5"].map((width, line) => (
        <span key={line}>{bar(join("h-4", width))}</span>
      ))}
    </div>
  );
}
