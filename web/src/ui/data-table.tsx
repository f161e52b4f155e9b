import type { ReactNode } from "react";
import { join } from "./join.ts";

export interface Column<Row> {
  key: string;
  label: string;
  /** Aligns numbers right, in digits of equal width. */
  isNumber?: boolean;
  /** Puts the cell below its label on a narrow screen: for controls. */
  isWide?: boolean;
  /** Hides the label from sight: for actions. */
  hideLabel?: boolean;
  /** Puts the cell beside the first one on a narrow screen: for a menu. */
  isMenu?: boolean;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  /** What the rows are; read to those who cannot see the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/**
 * Rows and columns. On a narrow screen each row becomes a card: its first cell is its title, the
 * others have their labels beside them.
 */
export function DataTable<Row>({ caption, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <table className="block w-full border-collapse text-left md:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr className="border-b border-hairline-strong text-xs text-muted">
          {columns.map(({ key, label, isNumber, hideLabel }) => (
            <th
              key={key}
              scope="col"
              className={join("px-2 py-2 font-medium first:pl-0", isNumber && "text-right")}
            >
              {hideLabel ? <span className="sr-only">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className={
              "grid grid-cols-[minmax(0,1fr)_auto] border-b border-hairline py-2 " +
              "md:table-row md:py-0 md:hover:bg-hover"
            }
          >
            {columns.map((column, at) => (
              <Cell key={column.key} column={column} row={row} isTitle={at === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  row: Row;
  isTitle: boolean;
}

function Cell<Row>({ column, row, isTitle }: CellProps<Row>) {
  const { label, isNumber, isWide, hideLabel, isMenu, cell } = column;
  return (
    <td
      className={join(
        isWide || isTitle ? "grid gap-1" : "flex items-baseline justify-between gap-4",
        isMenu && "col-start-2 row-start-1 self-start",
        !isMenu && !isTitle && "col-span-2",
        // a long name beside it must not squeeze it to letters
        hideLabel ? "md:whitespace-nowrap" : !isTitle && "md:min-w-20",
        "px-0 py-1 wrap-anywhere md:table-cell md:px-2 md:py-2.5 md:first:pl-0",
        isNumber && "tabular-nums md:text-right",
      )}
    >
      {!hideLabel && !isTitle && (
        <span aria-hidden className="shrink-0 text-xs text-muted md:hidden">
          {label}
        </span>
      )}
      {cell(row)}
    </td>
  );
}
