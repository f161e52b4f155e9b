import { LockOpen } from "lucide-react";
import { ReleaseLock } from "../../shell/locks/release-lock.tsx";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatClock, formatTime } from "../../texts/format.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { type HeldLock, locksQuery } from "./queries.ts";
import { useLocksTexts } from "./texts.ts";

/** The editing locks that are held now, and a way to end a forgotten one. */
export function LocksPage() {
  const texts = useLocksTexts();
  const list = useList(locksQuery);
  const columns = useColumns();
  return (
    <PartSection title={texts.title} hint={texts.hint}>
      {list.isPending && <Loading shape="table" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && (
        <Empty icon={LockOpen} picture="rows" title={texts.none}>
          {texts.noneHint}
        </Empty>
      )}
      {list.data && list.data.total > 0 && (
        <DataTable
          caption={texts.title}
          columns={columns}
          rows={list.data.items}
          keyOf={({ featureId }) => featureId}
        />
      )}
      <More list={list} />
    </PartSection>
  );
}

function useColumns(): Column<HeldLock>[] {
  const texts = useLocksTexts();
  return [
    {
      key: "holder",
      label: texts.holder,
      cell: ({ userName }) => (
        <bdi className="max-w-64 truncate font-medium" title={userName ?? undefined}>
          {userName ?? texts.gone}
        </bdi>
      ),
    },
    {
      key: "thing",
      label: texts.thing,
      cell: ({ resourceType, resourceId, ownerName }) => (
        <span title={resourceId} className="min-w-0 text-right md:text-left">
          {texts.kinds[resourceType]}{" "}
          <bdi className="text-muted wrap-anywhere">
            {texts.of(ownerName ?? texts.gone)}
          </bdi>
        </span>
      ),
    },
    {
      key: "since",
      label: texts.since,
      cell: ({ acquiredAt }) => (
        <span title={formatTime(acquiredAt)}>{formatAgo(acquiredAt)}</span>
      ),
    },
    {
      key: "until",
      label: texts.until,
      cell: ({ expiresAt }) => (
        <span title={formatTime(expiresAt)}>{formatClock(expiresAt)}</span>
      ),
    },
    {
      key: "release",
      label: texts.actions,
      hideLabel: true,
      cell: ({ featureId, userName }) => (
        <span className="ml-auto">
          <ReleaseLock featureId={featureId} holder={userName} />
        </span>
      ),
    },
  ];
}
