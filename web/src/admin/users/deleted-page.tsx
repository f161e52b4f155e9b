import { UserX } from "lucide-react";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatNumber, formatTime } from "../../texts/format.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { Status } from "../../ui/status.tsx";
import { type DeletedUser, deletedQuery } from "./deleted-queries.ts";
import { UserTabs } from "./state-columns.tsx";
import { useUserTexts } from "./texts.ts";

const KINDS = { waiting: "idle", failed: "down", done: "ok" } as const;

/** Users who were deleted, and what of their data is left. */
export function DeletedUsersPage() {
  const texts = useUserTexts();
  const list = useList(deletedQuery);
  const columns = useColumns();
  const total = list.data?.total;
  return (
    <>
      <UserTabs />
      <PartSection title={texts.kinds.deleted} hint={texts.deletedHint}>
        {list.isPending && <Loading shape="table" lines={8} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {total !== undefined && total > 0 && (
          <>
            <p className="text-xs text-muted">{texts.count(total, formatNumber(total))}</p>
            <DataTable
              caption={texts.kinds.deleted}
              columns={columns}
              rows={list.data?.items ?? []}
              keyOf={({ userId }) => userId}
            />
          </>
        )}
        {total === 0 && (
          <Empty icon={UserX} picture="rows" title={texts.noDeleted}>
            {texts.noDeletedHint}
          </Empty>
        )}
        <More list={list} />
      </PartSection>
    </>
  );
}

/** Nobody has the name of a deleted user: the id is what the audit log names, too. */
function useColumns(): Column<DeletedUser>[] {
  const texts = useUserTexts();
  return [
    {
      key: "id",
      label: texts.userId,
      cell: ({ userId }) => <bdi className="wrap-anywhere">{userId}</bdi>,
    },
    {
      key: "at",
      label: texts.deletedAt,
      cell: ({ at }) => (
        <time dateTime={at} title={formatTime(at)}>
          {formatAgo(at)}
        </time>
      ),
    },
    {
      key: "data",
      label: texts.goesTo,
      cell: ({ transferTo, recipientName }) =>
        transferTo === null
          ? texts.isDeleted
          : texts.goesToUser(recipientName ?? transferTo),
    },
    {
      key: "state",
      label: texts.state,
      cell: (user) => <State user={user} />,
    },
  ];
}

function State({ user: { state, parts } }: { user: DeletedUser }) {
  const texts = useUserTexts();
  const failed = parts.filter((part) => part.state === "failed");
  return (
    <div className="grid gap-1">
      <Status kind={KINDS[state]} label={texts.erasure[state]} />
      {failed.map(({ service, attempt, error }) => (
        <bdi key={service} lang="en" className="text-xs text-muted wrap-anywhere">
          {texts.partFailed(service, attempt, error ?? "")}
        </bdi>
      ))}
    </div>
  );
}
