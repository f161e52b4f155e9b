import type { ReactNode } from "react";
import { ChooseBox } from "./choose-box.tsx";
import { AllBox } from "./chosen-bar.tsx";
import { IN_MARGIN } from "./chosen-row.ts";
import { join } from "./join.ts";
import type { Chosen } from "./use-chosen.ts";

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
  /** On a narrow screen it stands in one line with others below the name, without its label. */
  isBelow?: boolean;
  /** Whether it stays away there: what is absent, or as it should be, needs no word. */
  isUnsaid?: (row: Row) => boolean;
  cell: (row: Row) => ReactNode;
}

/** A box before each row, and one for all in the head. Needs a `ChosenBar` with `hasHead`. */
interface Choosing<Row> {
  chosen: Chosen;
  nameOf: (row: Row) => string;
  /** Whether the row cannot be chosen. */
  isFixed?: (row: Row) => boolean;
}

interface DataTableProps<Row> {
  /** What the rows are; read to those who cannot see the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  choosing?: Choosing<Row>;
}

/** A row on a narrow screen: name and menu beside each other, the rest below. */
const ROW = "grid grid-cols-[minmax(0,1fr)_auto]";
/** One with a line below its name, which begins where the name does: after box and picture. */
const ROW_WITH_LINE =
  "flex flex-wrap items-center before:order-1 before:basis-full before:content-[''] " +
  "md:pl-0 md:before:hidden";

/**
 * Rows and columns. On a narrow screen each row becomes a card: its first cell is its title, the
 * others have their labels beside them.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, choosing } = props;
  const { chosen } = choosing ?? {};
  const hasLine = columns.some(({ isBelow }) => isBelow);
  return (
    <table className="block w-full border-collapse text-left md:table">
      <caption className="sr-only">{caption}</caption>
      <thead
        className={join(
          "sr-only md:not-sr-only md:table-header-group",
          // what can be done takes its place, as high; the columns keep their widths
          chosen && chosen.ids.length > 0 && "md:collapse",
        )}
      >
        <tr className="border-b border-hairline-strong text-xs text-muted">
          {chosen && (
            <th scope="col" className="w-9 py-0 max-md:hidden md:h-11">
              <span className={join("flex", IN_MARGIN)}>
                {chosen.count > 0 && <AllBox chosen={chosen} />}
              </span>
            </th>
          )}
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
            className={join(
              hasLine ? ROW_WITH_LINE : ROW,
              hasLine && (choosing ? "pl-18" : "pl-10"),
              "border-b border-hairline py-2 md:table-row md:py-0",
              chosen?.has(keyOf(row)) ? "bg-accent-soft" : "md:hover:bg-hover",
            )}
          >
            {choosing && (
              <td className="-ml-18 w-8 self-start md:ml-0 md:table-cell md:py-2.5 md:align-middle">
                <span className={join("flex", IN_MARGIN)}>
                  <ChooseBox
                    chosen={choosing.chosen}
                    id={keyOf(row)}
                    name={choosing.nameOf(row)}
                    disabled={choosing.isFixed?.(row) ?? false}
                  />
                </span>
              </td>
            )}
            {columns.map((column, at) => (
              <Cell
                key={column.key}
                column={column}
                row={row}
                isTitle={at === 0}
                hasLine={hasLine}
                isFirst={at === 0 && !choosing}
              />
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
  hasLine: boolean;
  /** Whether no box stands before it. */
  isFirst: boolean;
}

function Cell<Row>({ column, row, isTitle, hasLine, isFirst }: CellProps<Row>) {
  const { label, isNumber, isWide, hideLabel, isMenu, isBelow, isUnsaid, cell } = column;
  return (
    <td
      className={join(
        isWide || isTitle ? "grid gap-1" : "flex items-baseline justify-between gap-4",
        isMenu && "col-start-2 row-start-1 self-start",
        !isMenu && !isTitle && "col-span-2",
        // its least width leaves no room for the line below it
        hasLine && isTitle && "min-w-0 grow basis-11 grid-cols-[minmax(0,1fr)] md:ml-0",
        hasLine && isFirst && "-ml-10",
        isBelow && "order-1 mr-3 max-md:text-sm",
        isUnsaid?.(row) && "max-md:hidden",
        // a long name beside it must not squeeze it to letters
        hideLabel ? "md:whitespace-nowrap" : !isTitle && "md:min-w-20",
        "px-0 py-1 wrap-anywhere md:mr-0 md:table-cell md:px-2 md:py-2.5 md:first:pl-0",
        isNumber && "tabular-nums md:text-right",
      )}
    >
      {!hideLabel && !isTitle && !isBelow && (
        <span aria-hidden className="shrink-0 text-xs text-muted md:hidden">
          {label}
        </span>
      )}
      {cell(row)}
    </td>
  );
}
