import { useInfiniteQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useChange } from "../shell/use-change.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { Glyph } from "../ui/glyph.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { agentTrashQuery, restoreAgent } from "./queries.ts";
import { useHistoryTexts } from "./texts.ts";

const KEYS = [["agents"]];

/** Deleted agents, which can be restored until they are removed for good. */
export function AgentTrashPage() {
  const texts = useHistoryTexts();
  const list = useInfiniteQuery(agentTrashQuery);
  const restore = useChange({
    run: restoreAgent,
    keys: KEYS,
    onDone: () => notify(texts.agentRestored),
  });
  return (
    <Frame>
      <p className="text-muted">{texts.agentTrashHint}</p>
      {list.isPending && <Loading className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {restore.error && <Problem error={restore.error} />}
      {list.data?.total === 0 && <Empty icon={Trash2} title={texts.trashEmpty} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map(({ id, name, icon, deletedAt = "" }) => (
          <li key={id} className="flex items-center gap-2 py-2">
            <Glyph value={icon} />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">
                <bdi>{name}</bdi>
              </p>
              {deletedAt && (
                <p className="text-xs text-muted" title={formatTime(deletedAt)}>
                  {texts.deletedAt(formatAgo(deletedAt))}
                </p>
              )}
            </div>
            <Button
              busy={restore.isPending && restore.variables === id}
              onClick={() => restore.mutate(id)}
              aria-label={`${texts.restore}: ${name}`}
            >
              {texts.restore}
            </Button>
          </li>
        ))}
      </ul>
      <More list={list} />
    </Frame>
  );
}
