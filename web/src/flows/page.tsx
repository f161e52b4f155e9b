import { Link } from "@tanstack/react-router";
import { Waypoints } from "lucide-react";
import { useList } from "../shell/use-list.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Badge } from "../ui/badge.tsx";
import { More } from "../ui/more.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { type Flow, flowsQuery } from "./queries.ts";
import { useFlowTexts } from "./texts.ts";

/** `/flows`: the flows that the person may run. */
export function FlowsPage() {
  return (
    <Frame>
      <FlowList />
    </Frame>
  );
}

function FlowList() {
  const texts = useFlowTexts();
  const list = useList(flowsQuery);
  return (
    <>
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.total > 0 && (
        <p className="text-xs text-muted" role="status">
          {texts.count(list.data.total)}
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((flow) => (
          <FlowRow key={flow.id} flow={flow} />
        ))}
      </ul>
      {list.data?.total === 0 && (
        <Empty
          icon={Waypoints}
          picture="rows"
          title={texts.empty}
          action={
            <Link to="/flows/account" className="text-accent underline">
              {texts.showAccount}
            </Link>
          }
        >
          {texts.emptyHint}
        </Empty>
      )}
      <More list={list} />
    </>
  );
}

function FlowRow({ flow }: { flow: Flow }) {
  const texts = useFlowTexts();
  const { id, name, description, owned, updatedAt } = flow;
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <Link
          to="/flows/$id"
          params={{ id }}
          title={name}
          className="min-h-6 max-w-full truncate font-medium hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
        <Badge>{owned ? texts.owned : texts.granted}</Badge>
      </p>
      {description && (
        <p className="line-clamp-2 text-muted wrap-anywhere">
          <bdi>{description}</bdi>
        </p>
      )}
      {updatedAt && (
        <p className="text-xs text-muted" title={formatTime(updatedAt)}>
          {texts.changed(formatAgo(updatedAt))}
        </p>
      )}
    </li>
  );
}
