import { Wrench, Download } from "lucide-react";
import { Suspense, useState, useEffect } from "react";
import { formatNumber, formatBytes } from "../texts/format.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import type { ToolCall } from "./reply-state.ts";
import { useToolName } from "./tool-name.ts";
import { join } from "../ui/join.ts";
import { useChatTexts } from "./texts.ts";
import type { ToolFile } from "../../../src/services/agent-loop/contract-events.ts";

const MAX_SHOWN_CHARACTERS = 4_000;

const CodeCell = lazyPart(() => import("./code-cell.tsx"), "CodeCell");
const StoredPicture = lazyPart(() => import("./stored-picture.tsx"), "StoredPicture");
const MAKE_PICTURES = ["make_image", "edit_image"];

/** What the tools that run code are written in, as blocks of code name it. */
const LANGUAGES = new Map([
  ["run_python", "python"],
  ["run_javascript", "javascript"],
]);

/** A tool call: what runs, what it was given, what came back. */
export function ToolNote({ tool }: { tool: ToolCall }) {
  const language = LANGUAGES.get(tool.name);
  // its pictures stand in the answer
  if (isPainter(tool)) return <PlainNote tool={{ ...tool, files: undefined }} />;
  if (language === undefined) return <PlainNote tool={tool} />;
  return (
    <Suspense>
      <CodeCell tool={tool} language={language} />
    </Suspense>
  );
}

/** The pictures that an answer made, as wide as its text, without a click. */
export function MadePictures({ tools }: { tools: readonly ToolCall[] }) {
  const files = tools.filter(isPainter).flatMap((tool) => tool.files ?? []);
  if (files.length === 0) return null;
  return (
    <Suspense>
      {files.map((file) => (
        <StoredPicture key={file.fileId ?? file.name} file={file} />
      ))}
    </Suspense>
  );
}

function isPainter({ name }: ToolCall): boolean {
  return MAKE_PICTURES.includes(name);
}

function PlainNote({ tool }: { tool: ToolCall }) {
  const texts = useChatTexts();
  const { title, origin } = useToolName(tool.name);
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="rounded-r-md border-l-2 border-hairline-strong px-3 py-0.5 open:bg-sunken"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex min-h-6 items-center gap-1.5 pointer-coarse:min-h-11">
        <Wrench aria-hidden size={13} className="shrink-0" />
        <bdi className="min-w-0 truncate font-medium" title={origin ?? tool.name}>
          {title}
        </bdi>
        <span
          className={join(
            "shrink-0 whitespace-nowrap",
            tool.isError ? "text-danger" : "text-muted",
          )}
        >
          {useOutcome(tool)}
        </span>
      </summary>
      <Part title={texts.toolInput} text={inputText(tool)} />
      {tool.content !== undefined && <Part title={texts.toolOutput} text={tool.content} />}
      {isOpen && tool.files && <ToolFiles files={tool.files} />}
    </details>
  );
}

/** SQL as it is written, anything else as JSON. */
function inputText({ name, arguments: given }: ToolCall): string {
  const { sql } = given;
  if (name === "query_table" && typeof sql === "string") return sql;
  return JSON.stringify(given, null, 2);
}

export function useOutcome({ content, isError, durationMs = 0 }: ToolCall): string {
  const texts = useChatTexts();
  if (content === undefined) return texts.running;
  if (isError) return texts.toolFailed;
  const seconds = Math.max(durationMs / 1000, LEAST_SECONDS);
  const number = formatNumber(seconds, { maximumFractionDigits: 1 });
  return texts.ran(durationMs / 1000 < LEAST_SECONDS ? `<${number}` : number);
}

/** What took no time at all would read as if it had not run. */
const LEAST_SECONDS = 0.1;

function Part({ title, text }: { title: string; text: string }) {
  return (
    <>
      <p className="mt-1 text-muted">{title}</p>
      <pre
        dir="auto"
        tabIndex={0}
        className="max-h-48 overflow-auto whitespace-pre-wrap font-mono"
      >
        {text.slice(0, MAX_SHOWN_CHARACTERS)}
        {text.length > MAX_SHOWN_CHARACTERS && "…"}
      </pre>
    </>
  );
}

/** What a tool returned besides text: images as they are, everything else to save. */
function ToolFiles({ files }: { files: readonly ToolFile[] }) {
  return (
    <ul className="mt-2 grid gap-2">
      {files.map((file, at) => (
        <li key={at}>
          <ShownFile file={file} number={at + 1} />
        </li>
      ))}
    </ul>
  );
}

function ShownFile({ file, number }: { file: ToolFile; number: number }) {
  const texts = useChatTexts();
  const { kind, name } = file;
  const blob = useBlob(file);
  if (!blob) return null;
  if (kind === "image")
    return (
      <img
        src={blob.url}
        alt={name || texts.toolImage(number)}
        className="max-h-96 max-w-full rounded-sm"
      />
    );
  const label = name || (kind === "audio" ? texts.toolAudio : texts.toolFile)(number);
  return (
    <a
      href={blob.url}
      download={name.split("/").at(-1) || label}
      className="inline-flex min-h-6 items-center gap-1.5 text-accent underline pointer-coarse:min-h-11"
    >
      <Download aria-hidden size={13} className="shrink-0" />
      <bdi className="wrap-anywhere">{label}</bdi>
      <span className="text-muted">{formatBytes(blob.size)}</span>
    </a>
  );
}

/** The bytes of a file at an address of the page. Only images keep their type. */
function useBlob({ kind, mediaType, data }: ToolFile) {
  const [blob, setBlob] = useState<{ url: string; size: number }>();
  useEffect(() => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    const type = kind === "image" ? mediaType : "application/octet-stream";
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    setBlob({ url, size: bytes.length });
    return () => URL.revokeObjectURL(url);
  }, [kind, mediaType, data]);
  return blob;
}
