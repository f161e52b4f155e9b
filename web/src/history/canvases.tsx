import { Link } from "@tanstack/react-router";
import { Code, Globe, type LucideIcon, NotebookPen } from "lucide-react";
import type { ComponentProps } from "react";
import { ActionsBar } from "../shell/bulk/actions-bar.tsx";
import { usePermission } from "../shell/queries.ts";
import { useList } from "../shell/use-list.ts";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import type { canvasContract } from "../../../src/services/core/canvas/contract.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { ChooseBox } from "../ui/choose-box.tsx";
import { BAR_IN_MARGIN, CHOSEN_ROW, IN_MARGIN } from "../ui/chosen-row.ts";
import { join } from "../ui/join.ts";
import { More } from "../ui/more.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { type Chosen, useChosen } from "../ui/use-chosen.ts";
import {
  CANVAS_KEYS,
  canvasesQuery,
  deleteCanvas,
  restoreCanvas,
} from "./shared-queries.ts";
import { useHistoryTexts } from "./texts.ts";
import { Frame } from "./frame.tsx";

type Entry = RouteOk<typeof canvasContract.listCanvases>["items"][number];

/** Canvases, the last changed first. */
export function Canvases({ scope }: { scope: "own" | "shared" }) {
  const texts = useHistoryTexts();
  const list = useList(canvasesQuery(scope));
  return (
    <>
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && (
        <Empty
          icon={NotebookPen}
          picture="rows"
          title={scope === "own" ? texts.noCanvases : texts.sharedEmpty}
        >
          {scope === "own" ? texts.noCanvasesHint : texts.sharedEmptyHint}
        </Empty>
      )}
      {scope === "own" ? (
        <OwnRows list={list} canvases={list.data?.items ?? []} />
      ) : (
        <ul className="divide-y divide-hairline">
          {list.data?.items.map((canvas) => (
            <Row key={canvas.id} canvas={canvas} isShared />
          ))}
        </ul>
      )}
      <More list={list} />
    </>
  );
}

interface OwnRowsProps {
  list: ComponentProps<typeof ActionsBar>["list"];
  canvases: readonly Entry[];
}

/** Rows with checkboxes. The chosen canvases are deleted together. */
function OwnRows({ list, canvases }: OwnRowsProps) {
  const chosen = useChosen(canvases.map(({ id }) => id));
  const mayDelete = usePermission("canvas:delete");
  return (
    <div {...chosen.area} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {mayDelete && <BulkBar list={list} chosen={chosen} canvases={canvases} />}
      <ul className="divide-y divide-hairline">
        {canvases.map((canvas) => (
          <Row key={canvas.id} canvas={canvas} chosen={mayDelete ? chosen : undefined} />
        ))}
      </ul>
    </div>
  );
}

/** Deletes the chosen canvases, which Undo takes back, and says which of them it could not. */
function BulkBar({ list, canvases, chosen }: OwnRowsProps & { chosen: Chosen }) {
  const texts = useHistoryTexts();
  return (
    <ActionsBar
      list={list}
      chosen={chosen}
      className={BAR_IN_MARGIN}
      keys={CANVAS_KEYS}
      deletion={{
        label: texts.delete,
        items: canvases
          .filter(({ id }) => chosen.has(id))
          .map(({ id, title }) => ({ id, name: title })),
        act: deleteCanvas,
        done: texts.canvasesDeleted,
        undo: { act: restoreCanvas, done: texts.canvasesRestored },
      }}
    />
  );
}

const ICONS: Record<Entry["type"], LucideIcon> = {
  markdown: NotebookPen,
  code: Code,
  html: Globe,
};

interface RowProps {
  canvas: Entry;
  isShared?: boolean;
  /** Absent where they cannot be deleted. */
  chosen?: Chosen | undefined;
}

function Row({ canvas, isShared, chosen }: RowProps) {
  const texts = useHistoryTexts();
  const { id, title, type, version, updatedAt, conversationId, ownerName } = canvas;
  const link =
    "flex min-h-6 items-center font-medium hover:underline " +
    "pointer-coarse:-my-2 pointer-coarse:min-h-11";
  const name = <bdi className="truncate">{title}</bdi>;
  const Icon = ICONS[type];
  return (
    <li
      className={join(
        "group relative isolate flex items-start gap-3 py-2",
        chosen?.has(id) && CHOSEN_ROW,
      )}
    >
      {chosen && (
        <span className={IN_MARGIN}>
          <ChooseBox chosen={chosen} id={id} name={title} />
        </span>
      )}
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-items-center rounded-[0.55rem] bg-sunken text-muted"
      >
        <Icon size={16} />
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
        {conversationId === null ? (
          <Link to="/canvas/$canvas" params={{ canvas: id }} className={link}>
            {name}
          </Link>
        ) : (
          <Link
            to="/c/$id/canvas/$canvas"
            params={{ id: conversationId, canvas: id }}
            className={link}
          >
            {name}
          </Link>
        )}
        <p className="flex flex-wrap gap-x-2 text-xs text-muted">
          {isShared && <bdi>{texts.ownedBy(ownerName ?? texts.gone)}</bdi>}
          <span>{texts.canvasTypes[type]}</span>
          <span>{texts.canvasVersion(version)}</span>
          <span title={formatTime(updatedAt)}>{texts.changedAt(formatAgo(updatedAt))}</span>
        </p>
      </div>
    </li>
  );
}

/** One's own canvases, in whatever conversation. */
export function CanvasesPage() {
  return (
    <Frame>
      <Canvases scope="own" />
    </Frame>
  );
}
