import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSearch, useNavigate } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { Loading } from "../ui/loading.tsx";
import { Absent } from "../ui/states.tsx";
import { Header } from "./header.tsx";
import {
  canvasQuery,
  type StoredCanvas,
  type OpenCanvas,
  useCanvas,
  versionsQuery,
} from "./queries.ts";
import { meQuery } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import type { ResultKind } from "../markdown/frame-messages.ts";
import type { CanvasSearch } from "./search.ts";
import { Status } from "./status.tsx";
import { useCanvasTexts } from "./texts.ts";
import { Versions } from "./versions.tsx";
import { CodeBlock } from "../markdown/code-block.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { toPlainText } from "../markdown/plain-text.ts";
import { SelectField } from "../ui/select-field.tsx";
import { Differences } from "./differences.tsx";
import { lazyPart } from "../ui/lazy-part.ts";

const Passage = lazyPart(() => import("../documents/passage.tsx"), "Passage");
const NO_SOURCES: NonNullable<StoredCanvas["sources"]> = [];
const Result = lazyPart(() => import("./result.tsx"), "Result");
const Editing = lazyPart(() => import("./editing.tsx"), "Editing");

interface PaneProps {
  canvasId: string;
  /** Whether it stands beside its conversation. */
  isBeside?: boolean;
  onClose: () => void;
}

/** A canvas: the text as it reads, its editor, its versions, and what changed between them. */
export function CanvasPane({ canvasId, isBeside = false, onClose }: PaneProps) {
  const open = useCanvas(canvasId);
  const { data, error, refetch } = open.newest;
  if (error && !data) return <Missing error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={8} />;
  return <Shown canvas={data} open={open} isBeside={isBeside} onClose={onClose} />;
}

interface ShownProps {
  /** With its newest version. */
  canvas: StoredCanvas;
  open: OpenCanvas;
  isBeside: boolean;
  onClose: () => void;
}

function Shown({ canvas, open, isBeside, onClose }: ShownProps) {
  const search: CanvasSearch = useSearch({ strict: false });
  const isOlder = search.version !== undefined && search.version !== canvas.version;
  const isEditing = search.view === "edit" && open.may.edit;
  const isReading = !isEditing && (search.view === undefined || search.view === "edit");
  return (
    <section
      aria-label={canvas.title}
      className="flex h-full min-h-0 min-w-0 flex-col [timeline-scope:--canvas]"
    >
      <Header
        canvas={canvas}
        open={open}
        search={search}
        isBelow={isReading && !isOlder && beginsWithTitle(canvas)}
        onClose={onClose}
      />
      {!isEditing && <Status canvas={canvas} open={open} search={search} />}
      {isEditing && (
        <Suspense fallback={<Loading lines={8} />}>
          <Editing key={canvas.id} canvas={canvas} />
        </Suspense>
      )}
      {search.view === "versions" && <Versions canvas={canvas} open={open} />}
      {search.view === "diff" && <Comparison canvas={canvas} search={search} />}
      {isReading && isOlder && (
        <Older
          canvasId={canvas.id}
          version={search.version ?? canvas.version}
          isBeside={isBeside}
        />
      )}
      {isReading && !isOlder && <Reading canvas={canvas} isBeside={isBeside} />}
    </section>
  );
}

/** Whether its text has the title as its first heading. */
function beginsWithTitle({ type, title, content }: StoredCanvas): boolean {
  const heading = /^\s*#{1,6} (.*)/.exec(content)?.[1];
  return (
    type === "markdown" &&
    heading !== undefined &&
    toPlainText(heading).trim() === title.trim()
  );
}

interface OlderProps {
  canvasId: string;
  version: number;
  isBeside: boolean;
}

function Older({ canvasId, version, isBeside }: OlderProps) {
  const { data, error, refetch } = useQuery(canvasQuery(canvasId, version));
  if (error) return <Missing error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={8} />;
  return <Reading key={version} canvas={data} isBeside={isBeside} />;
}

function Missing(failure: { error: unknown; onRetry: () => void }) {
  const texts = useCanvasTexts();
  return (
    <Absent
      {...failure}
      title={texts.missing}
      hint={texts.missingHint}
      link={{ to: "/canvases", label: texts.all }}
    />
  );
}

const KINDS: Readonly<Record<string, ResultKind>> = {
  html: "html",
  svg: "svg",
  jsx: "react",
  tsx: "react",
  react: "react",
};

/** What a canvas makes when it runs; undefined for one that only reads. */
function resultKind({ type, language }: StoredCanvas): ResultKind | undefined {
  if (type === "html") return "html";
  return type === "code" ? KINDS[language?.toLowerCase() ?? ""] : undefined;
}

/** A canvas as it reads. Pages, pictures and components run when the reader wants to see them. */
function Reading(props: ReadingProps) {
  const kind = resultKind(props.canvas);
  return kind ? <Runnable {...props} kind={kind} /> : <Text {...props} />;
}

interface ReadingProps {
  canvas: StoredCanvas;
  isBeside: boolean;
}

function Runnable({ canvas, isBeside, kind }: ReadingProps & { kind: ResultKind }) {
  const texts = useCanvasTexts();
  /** The version that the reader wanted to see run. */
  const [wanted, want] = useState<number>();
  const isOwn = useOwnSince(canvas, wanted);
  // own versions follow one another
  if (isOwn === true && wanted !== undefined && wanted < canvas.version)
    want(canvas.version);
  const isRun = wanted !== undefined && isOwn === true;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pb-2 md:px-6">
        <Button onClick={() => want(isRun ? undefined : canvas.version)}>
          {isRun ? texts.toSource : texts.toResult}
        </Button>
        <span role="status" className="text-sm text-muted">
          {isOwn === "others" && texts.changedByOthers(canvas.version)}
          {isOwn === "unknown" && texts.notRunYet(canvas.version)}
        </span>
      </p>
      {isRun ? (
        <Suspense fallback={<Loading lines={8} />}>
          <Result canvas={canvas} kind={kind} />
        </Suspense>
      ) : (
        <Text canvas={canvas} isBeside={isBeside} />
      )}
    </>
  );
}

/**
 * Whether the user wrote all versions after one, by hand or by a reply: what somebody else wrote
 * does not run unasked. `unknown` until the list of versions has all of them.
 */
function useOwnSince({ id, version }: StoredCanvas, from: number | undefined) {
  const isSame = from === undefined || version === from;
  const { data: me } = useQuery(meQuery);
  const { data } = useInfiniteQuery({ ...versionsQuery(id), enabled: !isSame });
  if (isSame) return true;
  const newer = data?.items.filter((one) => one.version > from && one.version <= version);
  if (!me || newer?.length !== version - from) return "unknown";
  return newer.every(({ createdBy }) => createdBy === me.id) || "others";
}

/** Its numbers open the passages that it cites. Code stands as it is: nothing runs. */
function Text({ canvas, isBeside }: ReadingProps) {
  const texts = useCanvasTexts();
  const { type, language, content, sources = NO_SOURCES } = canvas;
  const [opened, open] = useState<number>();
  const cites = useMemo(
    () => ({
      has: (index: number) => sources.some((one) => one.index === index),
      label: (index: number) =>
        texts.source(index, sources.find((one) => one.index === index)?.fileName ?? ""),
      onOpen: open,
    }),
    [sources, texts],
  );
  const source = sources.find(({ index }) => index === opened);
  return (
    <div className="flex min-h-0 flex-1">
      <div
        tabIndex={0}
        role="region"
        aria-label={canvas.title}
        className={
          "min-h-0 min-w-0 flex-1 overflow-y-auto px-4 pb-10 outline-offset-[-2px] md:px-6 " +
          "[scroll-timeline:--canvas]"
        }
      >
        <div className="mx-auto max-w-measure">
          {content.trim() === "" && <p className="py-4 text-muted">{texts.blank}</p>}
          {type === "markdown" ? (
            <Markdown text={content} cites={sources.length > 0 ? cites : undefined} />
          ) : (
            <div className="markdown">
              <CodeBlock
                code={content}
                language={type === "html" ? "html" : (language ?? "")}
              />
            </div>
          )}
        </div>
      </div>
      <Suspense fallback={null}>
        {source && (
          <Passage
            source={source}
            tabs={sources.map(({ index, fileName }) => ({
              index,
              isOpen: index === opened,
              label: texts.source(index, fileName),
              onOpen: () => open(index),
            }))}
            isOver={isBeside}
            onClose={() => open(undefined)}
          />
        )}
      </Suspense>
    </div>
  );
}

/** As many versions can be chosen, the newest. */
const MAX_CHOICES = 200;

/** Two versions of a canvas, chosen, and what changed between them. */
function Comparison({ canvas, search }: { canvas: StoredCanvas; search: CanvasSearch }) {
  const texts = useCanvasTexts();
  const navigate = useNavigate();
  const to = Math.min(search.version ?? canvas.version, canvas.version);
  const from = Math.min(search.from ?? Math.max(1, to - 1), canvas.version);
  const choices = Array.from({ length: Math.min(canvas.version, MAX_CHOICES) }, (_, at) => (
    <option key={at} value={canvas.version - at}>
      {texts.version(canvas.version - at)}
    </option>
  ));
  const show = (next: { from: number; version: number }) =>
    void navigate({ to: ".", search: { view: "diff", ...next }, replace: true });
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-4 pt-2 pb-10 md:px-6">
      <div className="mx-auto grid max-w-measure gap-3">
        <div className="grid grid-cols-2 gap-3">
          <SelectField
            label={texts.compareFrom}
            value={from}
            onChange={({ target }) => show({ from: Number(target.value), version: to })}
          >
            {choices}
          </SelectField>
          <SelectField
            label={texts.compareTo}
            value={to}
            onChange={({ target }) => show({ from, version: Number(target.value) })}
          >
            {choices}
          </SelectField>
        </div>
        <Differences canvasId={canvas.id} from={from} to={to} />
      </div>
    </div>
  );
}
