import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useChange } from "../../shell/use-change.ts";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { notify, notifyFailure } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { type NamedPermission, permissionsQuery, revoke } from "./queries.ts";
import { useFlowAdminTexts } from "./texts.ts";

/** Who may run which flow, by whom and when it was granted. */
export function PermissionTable() {
  const texts = useFlowAdminTexts();
  const navigate = useNavigate();
  const { flow } = useSearch({ from: "/app/admin/flows" });
  const list = useList(permissionsQuery(flow));
  const all = flow !== undefined && (
    <Button onClick={() => void navigate({ to: "/admin/flows", search: {} })}>
      {texts.showAll}
    </Button>
  );
  const [first] = list.data?.items ?? [];
  return (
    <Section
      title={texts.who}
      hint={flow !== undefined && first && texts.ofFlow(isolate(first.flowName))}
      actions={all}
    >
      {list.isPending && <Loading className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && <p className="text-muted">{texts.none}</p>}
      {list.data && list.data.total > 0 && (
        <DataTable
          caption={texts.who}
          columns={columnsOf(texts)}
          rows={list.data.items}
          keyOf={({ userId, flowId }) => `${userId} ${flowId}`}
        />
      )}
      <More list={list} />
    </Section>
  );
}

function columnsOf(texts: ReturnType<typeof useFlowAdminTexts>): Column<NamedPermission>[] {
  return [
    { key: "person", label: texts.person, cell: ({ userName }) => <bdi>{userName}</bdi> },
    {
      key: "flow",
      label: texts.flow,
      cell: ({ flowId, flowName }) => (
        <Link
          to="/admin/flows"
          search={{ flow: flowId }}
          title={texts.onlyThis(flowName)}
          className="underline"
        >
          <bdi>{flowName}</bdi>
        </Link>
      ),
    },
    { key: "by", label: texts.by, cell: ({ grantedByName }) => <bdi>{grantedByName}</bdi> },
    {
      key: "when",
      label: texts.when,
      cell: ({ grantedAt }) => (
        <span title={formatTime(grantedAt)}>{formatAgo(grantedAt)}</span>
      ),
    },
    {
      key: "revoke",
      label: texts.revoke,
      hideLabel: true,
      cell: (permission) => <Revoke permission={permission} />,
    },
  ];
}

function Revoke({ permission }: { permission: NamedPermission }) {
  const texts = useFlowAdminTexts();
  const { userId, userName, flowId, flowName } = permission;
  const change = useChange({
    keys: [["flow-permissions"]],
    run: () => revoke(flowId, { subjectType: "user", subjectId: userId }),
    onDone: () => notify(texts.revoked),
  });
  return (
    <Button
      look="danger"
      busy={change.isPending}
      aria-label={texts.revokeOf(flowName, userName)}
      onClick={() => change.mutate(undefined, { onError: notifyFailure })}
    >
      {texts.revoke}
    </Button>
  );
}
