import { Link } from "@tanstack/react-router";
import { Code, Globe, type LucideIcon, NotebookPen } from "lucide-react";
import { useList } from "../shell/use-list.ts";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import type { canvasContract } from "../../../src/services/core/canvas/contract.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { More } from "../ui/more.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { canvasesQuery } from "./shared-queries.ts";
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
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((canvas) => (
          <Row key={canvas.id} canvas={canvas} isShared={scope === "shared"} />
        ))}
      </ul>
      <More list={list} />
    </>
  );
}

const ICONS: Record<Entry["type"], LucideIcon> = {
  markdown: NotebookPen,
  code: Code,
  html: Globe,
};

function Row({ canvas, isShared }: { canvas: Entry; isShared: boolean }) {
  const texts = useHistoryTexts();
  const { id, title, type, version, updatedAt, conversationId, ownerName } = canvas;
  const link =
    "flex min-h-6 items-center font-medium hover:underline pointer-coarse:min-h-11";
  const name = <bdi className="truncate">{title}</bdi>;
  const Icon = ICONS[type];
  return (
    <li className="flex items-start gap-3 py-2">
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
