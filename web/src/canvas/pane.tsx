import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { Absent, Loading } from "../ui/states.tsx";
import { Comparison } from "./comparison.tsx";
import { Header } from "./header.tsx";
import { canvasQuery, type StoredCanvas } from "./queries.ts";
import { Reading } from "./reading.tsx";
import type { CanvasSearch } from "./search.ts";
import { Status } from "./status.tsx";
import { useCanvasTexts } from "./texts.ts";
import { type OpenCanvas, useCanvas } from "./use-canvas.ts";
import { Versions } from "./versions.tsx";

const Editing = lazy(async () => ({ default: (await import("./editing.tsx")).Editing }));

interface PaneProps {
  canvasId: string;
  /** Whether tabs are above it on a narrow screen. */
  hasTabs?: boolean;
  onClose: () => void;
}

/** A canvas: the text as it reads, its editor, its versions, and what changed between them. */
export function CanvasPane({ canvasId, hasTabs, onClose }: PaneProps) {
  const open = useCanvas(canvasId);
  const { data, error, refetch } = open.newest;
  if (error && !data) return <Missing error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={8} />;
  return <Shown canvas={data} open={open} hasTabs={hasTabs} onClose={onClose} />;
}

interface ShownProps {
  /** With its newest version. */
  canvas: StoredCanvas;
  open: OpenCanvas;
  hasTabs: boolean | undefined;
  onClose: () => void;
}

function Shown({ canvas, open, hasTabs, onClose }: ShownProps) {
  const search: CanvasSearch = useSearch({ strict: false });
  const isOlder = search.version !== undefined && search.version !== canvas.version;
  const isEditing = search.view === "edit" && open.may.edit;
  return (
    <section aria-label={canvas.title} className="flex h-full min-h-0 min-w-0 flex-col">
      <Header
        canvas={canvas}
        open={open}
        search={search}
        hasTabs={hasTabs}
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
      {search.view === undefined && isOlder && (
        <Older canvasId={canvas.id} version={search.version ?? canvas.version} />
      )}
      {search.view === undefined && !isOlder && <Reading canvas={canvas} />}
      {search.view === "edit" && !isEditing && <Reading canvas={canvas} />}
    </section>
  );
}

function Older({ canvasId, version }: { canvasId: string; version: number }) {
  const { data, error, refetch } = useQuery(canvasQuery(canvasId, version));
  if (error) return <Missing error={error} onRetry={() => void refetch()} />;
  return data ? <Reading canvas={data} /> : <Loading lines={8} />;
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
