import type { Rows } from "./chart-rows.ts";
import { TableTools } from "./table-tools.tsx";

/** A table of values, such as those that a chart draws. */
export function PlainTable({ rows: [names = [], ...rows] }: { rows: Rows }) {
  return (
    <div className="markdown-table-box">
      <div className="markdown-table" tabIndex={0} role="group">
        <table>
          <thead>
            <tr>
              {names.map((name, at) => (
                <th key={at} dir="auto">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((value, place) => (
                  <td key={place} dir="auto">
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <TableTools read={() => [names, ...rows]} />
    </div>
  );
}
