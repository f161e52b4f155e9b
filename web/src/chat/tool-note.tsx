import {
  Code,
  Download,
  Files,
  FileText,
  Globe,
  Image as ImageIcon,
  type LucideIcon,
  NotebookPen,
  Search,
  Table2,
  Wrench,
} from "lucide-react";
import { Suspense, useState, useEffect } from "react";
import { formatNumber, formatBytes } from "../texts/format.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import type { ToolCall } from "./reply-state.ts";
import { useToolName } from "./tool-name.ts";
import { useToolTexts } from "./tool-texts.ts";
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

const ICONS: Readonly<Record<string, LucideIcon>> = {
  create_canvas: NotebookPen,
  update_canvas: NotebookPen,
  read_canvas: NotebookPen,
  search_documents: Search,
  find_in_documents: Search,
  list_documents: Files,
  read_document: FileText,
  search_web: Globe,
  read_page: Globe,
  describe_tables: Table2,
  query_table: Table2,
  run_javascript: Code,
  run_python: Code,
  make_image: ImageIcon,
  edit_image: ImageIcon,
};

/** What was done, and how much: on two lines where there is little room. */
export function ToolHead({ tool }: { tool: ToolCall }) {
  const { name, content, isError } = tool;
  const { title, origin } = useToolName(name, content !== undefined && !isError);
  const outcome = useOutcome(tool);
  const Icon = ICONS[name] ?? Wrench;
  return (
    <summary className="flex min-h-6 items-start gap-1.5 py-0.5 pointer-coarse:min-h-11 pointer-coarse:items-center">
      <Icon
        aria-hidden
        size={13}
        className="mt-0.75 shrink-0 text-muted pointer-coarse:mt-0"
      />
      <span className="flex min-w-0 flex-wrap gap-x-1.5">
        <bdi className="min-w-0 font-medium wrap-anywhere" title={origin ?? name}>
          {title}
        </bdi>
        <span className={isError ? "text-danger" : "text-muted"}>{outcome}</span>
      </span>
    </summary>
  );
}

function PlainNote({ tool }: { tool: ToolCall }) {
  const texts = useToolTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="rounded-r-md border-l-2 border-hairline-strong px-3 py-0.5 open:bg-sunken"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <ToolHead tool={tool} />
      <Part title={texts.input} text={inputText(tool)} />
      {tool.content !== undefined && <Part title={texts.output} text={tool.content} />}
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

/** How much was found, and how long that took. */
function useOutcome({ content, isError, durationMs = 0, figures }: ToolCall): string {
  const texts = useToolTexts();
  if (content === undefined) return texts.running;
  if (isError) return texts.failed;
  const seconds = Math.max(durationMs / 1000, LEAST_SECONDS);
  const number = formatNumber(seconds, { maximumFractionDigits: 1 });
  const time = texts.ran(durationMs / 1000 < LEAST_SECONDS ? `<${number}` : number);
  return figures ? `${texts.figures(figures)} · ${time}` : time;
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
  const texts = useToolTexts();
  const { kind, name } = file;
  const blob = useBlob(file);
  if (!blob) return null;
  if (kind === "image")
    return (
      <img
        src={blob.url}
        alt={name || texts.image(number)}
        className="max-h-96 max-w-full rounded-sm"
      />
    );
  const label = name || (kind === "audio" ? texts.audio : texts.file)(number);
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
