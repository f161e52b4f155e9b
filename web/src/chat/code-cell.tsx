import { Download } from "lucide-react";
import { useState } from "react";
import type { ToolFile } from "../../../src/services/agent-loop/contract-events.ts";
import { CodeBlock } from "../markdown/code-block.tsx";
import { formatBytes } from "../texts/format.ts";
import { useCodeCellTexts } from "./code-cell-texts.ts";
import { fileAddress, fileStartQuery, isShownWhole } from "./code-queries.ts";
import type { ToolCall } from "./reply-state.ts";
import { ToolHead } from "./tool-note.tsx";
import { useQuery } from "@tanstack/react-query";
import { PlainTable } from "../markdown/plain-table.tsx";
import { isPicture, lastPart, StoredPicture } from "./stored-picture.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { readCsv } from "./read-csv.ts";

const MAX_SHOWN_CHARACTERS = 20_000;

/** Code that a reply ran: the code, what it printed, its pictures and its files. */
export function CodeCell({ tool, language }: { tool: ToolCall; language: string }) {
  const texts = useCodeCellTexts();
  const [isOpen, setOpen] = useState(false);
  const { content, printed, files = [] } = tool;
  const code = tool.arguments["code"];
  const pictures = files.filter(isPicture);
  const others = files.filter((file) => !isPicture(file));
  return (
    <div className="min-w-0 rounded-r-md border-l-2 border-hairline-strong px-3 py-0.5">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <ToolHead tool={tool} />
        {isOpen && (
          <CodeBlock code={typeof code === "string" ? code : ""} language={language} />
        )}
        {content !== undefined && (
          <Printed text={content} isError={tool.isError ?? false} />
        )}
      </details>
      {content === undefined && printed && <Printed text={printed} isError={false} />}
      {pictures.map((file, at) => (
        <StoredPicture key={file.fileId ?? at} file={file} />
      ))}
      {others.length > 0 && (
        <ul aria-label={texts.files} className="my-1 grid gap-1">
          {others.map((file, at) => (
            <li key={file.fileId ?? at}>
              <Saved file={file} />
              {hasPreview(file) && <Preview file={file} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Printed({ text, isError }: { text: string; isError: boolean }) {
  const texts = useCodeCellTexts();
  return (
    <>
      <p className="mt-1 text-muted">{texts.prints}</p>
      <pre
        dir="auto"
        tabIndex={0}
        className={`max-h-80 overflow-auto whitespace-pre-wrap font-mono ${isError ? "text-danger" : ""}`}
      >
        {text.slice(0, MAX_SHOWN_CHARACTERS) || texts.nothing}
        {text.length > MAX_SHOWN_CHARACTERS && "…"}
      </pre>
    </>
  );
}

function Preview({ file }: { file: ToolFile }) {
  const texts = useCodeCellTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-muted pointer-coarse:min-h-11">
        {texts.preview(file.name)}
      </summary>
      {isOpen && <FilePreview file={file} />}
    </details>
  );
}

function Saved({ file }: { file: ToolFile }) {
  const { name, fileId = "", size = 0 } = file;
  return (
    <a
      href={fileAddress(fileId)}
      download={lastPart(name)}
      className="inline-flex min-h-6 items-center gap-1.5 text-accent underline pointer-coarse:min-h-11"
    >
      <Download aria-hidden size={13} className="shrink-0" />
      <bdi className="wrap-anywhere">{name}</bdi>
      <span className="text-muted">{formatBytes(size)}</span>
    </a>
  );
}

const MAX_ROWS = 50;
const TEXT = /^(?:text\/|application\/(?:json|jsonl|xml)$)/;
const TABLE = /^text\/(?:csv|tab-separated-values)$/;

function hasPreview({ mediaType, size = 0 }: ToolFile): boolean {
  return TEXT.test(mediaType) && size > 0;
}

/** The beginning of a file that code wrote: a table of its first rows, or its text. */
function FilePreview({ file }: { file: ToolFile }) {
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
