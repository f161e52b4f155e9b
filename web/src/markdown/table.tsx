import type { Tokens } from "marked";
import { type ContextType, type CSSProperties, memo, use } from "react";
import { join } from "../ui/join.ts";
import type { Rows } from "./chart-rows.ts";
import { CiteContext } from "./cite.tsx";
import { citedBy, roomOf, splitCites } from "./hanging-cites.ts";
import { Inline } from "./inline.tsx";
import { inParts, isSamePart } from "./parts.ts";
import { toPlainText } from "./plain-text.ts";
import { TableTools } from "./table-tools.tsx";

const ALIGNMENT = {
  left: "text-left",
  center: "text-center",
  right: "text-right",
} as const;

/** From these numbers of characters on a cell needs room for a phrase, or for a sentence. */
const PHRASE_CHARACTERS = 14;
const SENTENCE_CHARACTERS = 45;

function widthOf(text: string): string {
  if (text.length >= SENTENCE_CHARACTERS) return "cell-sentence";
  return text.length >= PHRASE_CHARACTERS ? "cell-phrase" : "cell-value";
}

/** A table, which can be copied, and saved as CSV. */
export function Table({ table }: { table: Tokens.Table }) {
  const cites = use(CiteContext);
  const rooms = table.align.map((align, at) => {
    if (align !== "right" && align !== "center") return 0;
    const cells = [table.header, ...table.rows].flatMap((row) => row[at] ?? []);
    return Math.max(0, ...cells.map(({ tokens }) => knownRoom(tokens, cites)));
  });
  const read = (): Rows =>
    [table.header, ...table.rows].map((row) => row.map(({ text }) => toPlainText(text)));
  return (
    <div className="markdown-table-box">
      <div className="markdown-table" tabIndex={0} role="group">
        <table>
          <thead>
            <Row cells={table.header} Tag="th" rooms={rooms.join(" ")} />
          </thead>
          <tbody>
            {inParts(table.rows).map((part, at) => (
              <Rows key={at} part={part} rooms={rooms.join(" ")} />
            ))}
          </tbody>
        </table>
      </div>
      <TableTools read={read} />
    </div>
  );
}

/** The room beside a cell for the citations that end it. Those of no source are text. */
function knownRoom(tokens: Tokens.TableCell["tokens"], cites: Cites): number {
  const split = splitCites(tokens);
  return citedBy(split.cites).every((index) => cites?.has(index)) ? roomOf(split.cites) : 0;
}

type Cites = ContextType<typeof CiteContext>;

interface PartProps {
  part: readonly Tokens.TableCell[][];
  /** In rem, of each column, for the citations that hang beside its cells. */
  rooms: string;
}

const Rows = memo(
  function Rows({ part, rooms }: PartProps) {
    return part.map((row, at) => <Row key={at} cells={row} Tag="td" rooms={rooms} />);
  },
  (a, b) => a.rooms === b.rooms && isSamePart(a, b),
);

interface RowProps {
  cells: Tokens.TableCell[];
  Tag: "th" | "td";
  rooms: string;
}

/** Rows that are whole keep their cells, so that they are not rendered again. */
const Row = memo(function Row({ cells, Tag, rooms }: RowProps) {
  const cites = use(CiteContext);
  const room = rooms.split(" ").map(Number);
  return (
    <tr>
      {cells.map(({ align, text, tokens }, at) => {
        const hangs = Boolean(room[at]) && knownRoom(tokens, cites) > 0;
        const split = hangs ? splitCites(tokens) : { text: tokens, cites: [] };
        return (
          <Tag
            key={at}
            dir="auto"
            className={join(align && ALIGNMENT[align], widthOf(toPlainText(text)))}
            style={paddingFor(room[at], at === cells.length - 1)}
          >
            <Inline tokens={split.text} />
            {hangs && (
              <span className="cell-cites">
                <Inline tokens={split.cites} />
              </span>
            )}
          </Tag>
        );
      })}
    </tr>
  );
});

function paddingFor(room: number | undefined, isLast: boolean): CSSProperties | undefined {
  return room ? { paddingRight: `${room + (isLast ? 0.25 : 0.75)}rem` } : undefined;
}
