import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { TableOfSource } from "../../../src/services/core/sources/contract.ts";
import { saveText } from "../ui/save-file.ts";
import { TableTools } from "../markdown/table-tools.tsx";
import { formatNumber } from "../texts/format.ts";
import { texts } from "../texts/language.ts";
import { Button } from "../ui/button.tsx";
import { join } from "../ui/join.ts";
import { Problem } from "../ui/states.tsx";
import { readRows } from "./queries.ts";

/** What was computed over tables: the answer, the rows that it is made from, and the query. */
export function TablePassage({ table }: { table: TableOfSource }) {
  const texts = useTableTexts();
  const { answer, behind, sql } = table;
  return (
    <div className="grid gap-6">
      <Rows title={texts.answer} note={answer.cut && texts.more} rows={answer} />
      {behind && (
        <Rows
          title={texts.behind}
          note={
            behind.rows.length < behind.total
              ? texts.first(formatNumber(behind.rows.length), formatNumber(behind.total))
              : texts.all(formatNumber(behind.total))
          }
          rows={behind}
        >
          {behind.rows.length < behind.total && behind.total <= MAX_SAVED_ROWS && (
            <SaveAll table={table} sql={behind.sql} total={behind.total} />
          )}
        </Rows>
      )}
      <details>
        <summary className="min-h-6 cursor-pointer text-sm text-muted pointer-coarse:min-h-11">
          {texts.query}
        </summary>
        <pre className="mt-2 overflow-x-auto text-sm whitespace-pre-wrap">
          <code>{sql}</code>
        </pre>
      </details>
    </div>
  );
}

/** As many as one answer as CSV has. */
const MAX_SAVED_ROWS = 100_000;
/** So that spreadsheets read the file as UTF-8; reading the answer removes it. */
const BYTE_ORDER_MARK = "\uFEFF";

interface SaveAllProps {
  table: TableOfSource;
  sql: string;
  total: number;
}

/** Saves also those rows that are not kept with the reply, as the documents hold them now. */
function SaveAll({ table: { documentIds }, sql, total }: SaveAllProps) {
  const texts = useTableTexts();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => readRows(documentIds, sql),
    onSuccess: (csv) => saveText("rows.csv", BYTE_ORDER_MARK + csv, "text/csv"),
  });
  return (
    <>
      <div>
        <Button busy={isPending} onClick={() => mutate()}>
          {texts.saveAll(formatNumber(total))}
        </Button>
      </div>
      {error && <Problem error={error} onRetry={() => mutate()} />}
    </>
  );
}

interface RowsProps {
  title: string;
  children?: ReactNode;
  note: string | false;
  rows: TableOfSource["answer"];
}

const SENTENCE_CHARACTERS = 45;

function widthOf(cell: string | null): string {
  return (cell?.length ?? 0) < SENTENCE_CHARACTERS ? "cell-value" : "cell-sentence";
}

const NUMBER = /INT|DECIMAL|DOUBLE|FLOAT|REAL/;

function Rows({ title, note, rows: { columns, rows }, children }: RowsProps) {
  const read = () => [
    columns.map(({ name }) => name),
    ...rows.map((row) => row.map((cell) => cell ?? "")),
  ];
  const align = columns.map(({ type }) => NUMBER.test(type) && "text-right tabular-nums");
  return (
    <section className="grid min-w-0 gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      {note && <p className="text-sm text-muted">{note}</p>}
      <div className="markdown markdown-table-box min-w-0">
        <div
          className="markdown-table max-h-[60vh] overflow-auto"
          tabIndex={0}
          role="group"
          aria-label={title}
        >
          <table>
            <thead>
              <tr>
                {columns.map(({ name }, at) => (
                  <th key={name} scope="col" className={join("cell-value", align[at])}>
                    <bdi>{name}</bdi>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column} className={join(widthOf(cell), align[column])}>
                      <bdi>{cell}</bdi>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <TableTools read={read} />
      </div>
      {children}
    </section>
  );
}

const en = {
  answer: "Answer",
  more: "There are more rows.",
  behind: "Computed from these rows",
  first: (shown: string, total: string) => `The first ${shown} of ${total}`,
  all: (total: string) => `All ${total}`,
  saveAll: (total: string) => `Save all ${total} rows as CSV`,
  query: "The query",
};
const de = {
  answer: "Antwort",
  more: "Es gibt weitere Zeilen.",
  behind: "Aus diesen Zeilen berechnet",
  first: (shown: string, total: string) => `Die ersten ${shown} von ${total}`,
  all: (total: string) => `Alle ${total}`,
  saveAll: (total: string) => `Alle ${total} Zeilen als CSV speichern`,
  query: "Die Abfrage",
} satisfies typeof en;

const useTableTexts = texts({ en, de });
