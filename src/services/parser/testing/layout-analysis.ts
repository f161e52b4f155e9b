const FIRST = '<!-- PageHeader="ACME" -->\n\n# Contract\n\nBetween us and you.\n\n';
const TABLE =
  "<table>\n<tr>\n<th>Item</th>\n<th>Price</th>\n</tr>\n<tr>\n<td>Desk | oak</td>\n<td>12 €</td>\n</tr>\n</table>";
const REST = '\n\n<!-- PageNumber="1" -->\n<!-- PageBreak -->\n\n';
const SECOND = "## Terms\n\nWithin 30 days.\n";

/** Two pages, the first with a table, as the layout model returns them. */
export const ANALYSIS = {
  apiVersion: "2024-11-30",
  modelId: "prebuilt-layout",
  stringIndexType: "utf16CodeUnit",
  contentFormat: "markdown",
  content: FIRST + TABLE + REST + SECOND,
  pages: [
    {
      pageNumber: 1,
      unit: "inch",
      width: 8,
      height: 11,
      spans: [{ offset: 0, length: (FIRST + TABLE + REST).length }],
      words: [],
    },
    {
      pageNumber: 2,
      spans: [{ offset: (FIRST + TABLE + REST).length, length: SECOND.length }],
    },
  ],
  tables: [
    {
      rowCount: 2,
      columnCount: 2,
      cells: [
        { kind: "columnHeader", rowIndex: 0, columnIndex: 0, content: "Item" },
        { kind: "columnHeader", rowIndex: 0, columnIndex: 1, content: "Price" },
        { rowIndex: 1, columnIndex: 0, content: "Desk | oak" },
        { rowIndex: 1, columnIndex: 1, content: "12 €" },
      ],
      boundingRegions: [{ pageNumber: 1, polygon: [0, 0, 1, 0, 1, 1, 0, 1] }],
      spans: [{ offset: FIRST.length, length: TABLE.length }],
    },
  ],
  figures: [{ id: "2.1", boundingRegions: [{ pageNumber: 2, polygon: [] }], spans: [] }],
  languages: [{ locale: "en-US", confidence: 0.8, spans: [] }],
};
