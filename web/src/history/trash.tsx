import { Trash2 } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { ChooseBox } from "../ui/choose-box.tsx";
import { CHOSEN_ROW, IN_MARGIN } from "../ui/chosen-row.ts";
import { join } from "../ui/join.ts";
import { More } from "../ui/more.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import type { Chosen } from "../ui/use-chosen.ts";
import { Frame } from "./frame.tsx";
import { useHistoryTexts } from "./texts.ts";

interface TrashProps {
  hint: string;
  list: ComponentProps<typeof More>["list"] & {
    isPending: boolean;
    error: unknown;
    data: { total: number } | undefined;
    refetch: () => unknown;
  };
  /** Why something could not be restored. */
  error: unknown;
  /** What can be done with those that are chosen. */
  bar: ReactNode;
  /** For the element around the list and its bar. */
  area: Chosen["area"];
  /** The rows. */
  children: ReactNode;
}

/** A page of what was deleted and can be restored. */
export function Trash({ hint, list, error, bar, area, children }: TrashProps) {
  const texts = useHistoryTexts();
  return (
    <Frame>
      <p className="text-muted">{hint}</p>
      {list.isPending && <Loading shape="list" lines={6} />}
      {Boolean(list.error) && (
        <Problem error={list.error} onRetry={() => void list.refetch()} />
      )}
      {Boolean(error) && <Problem error={error} />}
      {list.data?.total === 0 && <Empty icon={Trash2} title={texts.trashEmpty} />}
      <div {...area} className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {bar}
        <ul className="divide-y divide-hairline">{children}</ul>
      </div>
      <More list={list} />
    </Frame>
  );
}

interface TrashRowProps {
  id: string;
  name: string;
  deletedAt: string | undefined;
  chosen: Chosen;
  /** A picture before the name. */
  glyph?: ReactNode;
  busy: boolean;
  onRestore: () => void;
  /** Further actions. */
  children?: ReactNode;
}

export function TrashRow(props: TrashRowProps) {
  const { id, name, deletedAt, chosen, glyph, busy, onRestore, children } = props;
  const texts = useHistoryTexts();
  return (
    <li
      className={join(
        "group relative isolate flex flex-wrap items-center gap-2 py-2",
        chosen.has(id) && CHOSEN_ROW,
      )}
    >
      <span className={IN_MARGIN}>
        <ChooseBox chosen={chosen} id={id} name={name} />
      </span>
      {glyph}
      <div className="min-w-0 flex-1 basis-40">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        {deletedAt && (
          <p className="text-xs text-muted" title={formatTime(deletedAt)}>
            {texts.deletedAt(formatAgo(deletedAt))}
          </p>
        )}
      </div>
      <Button busy={busy} onClick={onRestore} aria-label={`${texts.restore}: ${name}`}>
        {texts.restore}
      </Button>
      {children}
    </li>
  );
}
