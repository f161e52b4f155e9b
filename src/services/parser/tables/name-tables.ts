import type { TableDocument } from "./contract.ts";
import { uniqueNames } from "./find-header.ts";
import type { PreparedTable } from "./prepared.ts";

export interface NamedTable {
  name: string;
  document: TableDocument;
  table: PreparedTable;
}

/**
 * Names tables after their files and sheets, the same in each call with the same documents: a
 * sheet is named where its file has several.
 */
export function nameTables(
  read: readonly { document: TableDocument; tables: readonly PreparedTable[] }[],
): NamedTable[] {
  const all = read
    .toSorted((a, b) => compare(a.document, b.document))
    .flatMap(({ document, tables }) =>
      tables.map((table) => ({ document, table, isOnly: tables.length === 1 })),
    );
  const names = uniqueNames(
    all.map(({ document, table, isOnly }) => {
      const stem = document.fileName.replace(/\.[^.]{1,8}$/, "");
      return isOnly || table.sheet === "" ? stem : `${stem} ${table.sheet}`;
    }),
  );
  return all.map(({ document, table }, at) => ({
    name: names[at] ?? table.id,
    document,
    table,
  }));
}

function compare(a: TableDocument, b: TableDocument): number {
  if (a.fileName !== b.fileName) return a.fileName < b.fileName ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
