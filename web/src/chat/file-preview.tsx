import { useQuery } from "@tanstack/react-query";
import type { ToolFile } from "../../../src/services/agent-loop/contract-events.ts";
import { PlainTable } from "../markdown/plain-table.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { fileStartQuery, isShownWhole } from "./code-queries.ts";
import { readCsv } from "./read-csv.ts";

const MAX_ROWS = 50;
const TEXT = /^(?:text\/|application\/(?:json|jsonl|xml)$)/;
const TABLE = /^text\/(?:csv|tab-separated-values)$/;

export function hasPreview({ mediaType, size = 0 }: ToolFile): boolean {
  return TEXT.test(mediaType) && size > 0;
}

/** The beginning of a file that code wrote: a table of its first rows, or its text. */
export function FilePreview({ file }: { file: ToolFile }) {
  const { mediaType, fileId = "", size = 0 } = file;
  const { data, error, refetch } = useQuery(fileStartQuery(fileId));
  if (error) return <Problem error={error} onRetry={refetch} />;
  if (data === undefined) return <Loading />;
  const isWhole = isShownWhole(size);
  if (TABLE.test(mediaType))
    return (
      <div className="markdown max-h-80 overflow-auto">
        <PlainTable rows={readCsv(data, { maxRows: MAX_ROWS, isWhole })} />
      </div>
    );
  return (
    <pre
      dir="auto"
      tabIndex={0}
      className="max-h-80 overflow-auto whitespace-pre-wrap font-mono"
    >
      {data}
      {!isWhole && "…"}
    </pre>
  );
}
