import type { Tokens } from "marked";
import { join } from "../ui/join.ts";
import { memo } from "react";
import type { Rows } from "./chart-rows.ts";
import { Inline } from "./inline.tsx";
import { TableTools } from "./table-tools.tsx";
import { toPlainText } from "./plain-text.ts";

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
  const read = (): Rows =>
    [table.header, ...table.rows].map((row) => row.map(({ text }) => toPlainText(text)));
  return (
    <div className="markdown-table-box">
      <div className="markdown-table" tabIndex={0} role="group">
        <table>
          <thead>
            <Row cells={table.header} Tag="th" />
          </thead>
          <tbody>
            {table.rows.map((row, at) => (
              <Row key={at} cells={row} Tag="td" />
            ))}
          </tbody>
        </table>
      </div>
      <TableTools read={read} />
    </div>
  );
}

interface RowProps {
  cells: Tokens.TableCell[];
  Tag: "th" | "td";
}

/** Rows that are whole keep their cells, so that they are not rendered again. */
const Row = memo(function Row({ cells, Tag }: RowProps) {
  return (
    <tr>
      {cells.map((cell, at) => (
        <Tag
          key={at}
          className={join(cell.align && ALIGNMENT[cell.align], widthOf(cell.text))}
        >
          <Inline tokens={cell.tokens} />
        </Tag>
      ))}
    </tr>
  );
});
