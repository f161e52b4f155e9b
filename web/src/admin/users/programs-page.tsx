import { Link } from "@tanstack/react-router";
import { Plug } from "lucide-react";
import { useState } from "react";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import {
  disconnectProgram,
  type GrantOfUser,
  PROGRAM_KEYS,
  programsQuery,
} from "./program-queries.ts";
import { useProgramTexts } from "./program-texts.ts";
import { UserTabs } from "./state-columns.tsx";

/** What users granted to programs, and a way to end it. */
export function ProgramsPage() {
  const texts = useProgramTexts();
  const list = useList(programsQuery(undefined));
  const [ending, setEnding] = useState<GrantOfUser>();
  const columns = useColumns(setEnding);
  return (
    <>
      <UserTabs />
      <PartSection title={texts.title} hint={texts.hint}>
        {list.isPending && <Loading shape="table" lines={6} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {list.data?.total === 0 && (
          <Empty icon={Plug} picture="rows" title={texts.empty}>
            {texts.emptyHint}
          </Empty>
        )}
        {list.data && list.data.total > 0 && (
          <DataTable
            caption={texts.title}
            columns={columns}
            rows={list.data.items}
            keyOf={({ id }) => id}
          />
        )}
        <More list={list} />
      </PartSection>
      {ending && <Disconnect grant={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

/** The programs of one user, in the account of the user. */
export function ProgramsOfUser({ id }: { id: string }) {
  const texts = useProgramTexts();
  const list = useList(programsQuery(id));
  const [ending, setEnding] = useState<GrantOfUser>();
  if (list.isPending) return <Loading lines={2} className="px-0" />;
  if (list.error) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  return (
    <div>
      <p className="font-medium">{texts.ofUser}</p>
      {list.data.total === 0 && <p className="text-muted">{texts.none}</p>}
      <ul className="divide-y divide-hairline" aria-label={texts.ofUser}>
        {list.data.items.map((grant) => (
          <li key={grant.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <div className="min-w-0 flex-1 basis-40">
              <Program grant={grant} />
            </div>
            <Used grant={grant} />
            <EndButton grant={grant} onEnd={setEnding} />
          </li>
        ))}
      </ul>
      <More list={list} />
      {ending && <Disconnect grant={ending} onClose={() => setEnding(undefined)} />}
    </div>
  );
}

interface DisconnectProps {
  grant: GrantOfUser;
  onClose: () => void;
}

function Disconnect({ grant, onClose }: DisconnectProps) {
  const texts = useProgramTexts();
  return (
    <ConfirmChange
      title={texts.endTitle}
      text={texts.endText(grant.clientName, grant.userName)}
      action={texts.end}
      run={() => disconnectProgram(grant.id)}
      keys={PROGRAM_KEYS}
      done={texts.ended}
      onClose={onClose}
    />
  );
}

type OnEnd = (grant: GrantOfUser) => void;

function useColumns(onEnd: OnEnd): Column<GrantOfUser>[] {
  const texts = useProgramTexts();
  return [
    {
      key: "program",
      label: texts.program,
      cell: (grant) => <Program grant={grant} />,
    },
    {
      key: "user",
      label: texts.user,
      cell: ({ userId, userName, userEmail }) => (
        <Link
          to="/admin/users/$id"
          params={{ id: userId }}
          title={userEmail}
          className="min-w-0 truncate hover:underline md:block md:max-w-44"
        >
          <bdi>{userName}</bdi>
        </Link>
      ),
    },
    {
      key: "may",
      label: texts.may,
      cell: ({ scopes, tools }) => (
        <span className="wrap-anywhere">
          {scopes.includes("tool:approve") ? texts.destructive : texts.uses}
          {tools && ` (${tools.join(", ")})`}
        </span>
      ),
    },
    {
      key: "connected",
      label: texts.connected,
      cell: (grant) => <Used grant={grant} />,
    },
    {
      key: "end",
      label: texts.actions,
      hideLabel: true,
      isMenu: true,
      cell: (grant) => (
        <span className="ml-auto">
          <EndButton grant={grant} onEnd={onEnd} />
        </span>
      ),
    },
  ];
}

function Program({ grant }: { grant: GrantOfUser }) {
  const { clientName, clientDocument, redirectHost } = grant;
  return (
    <div className="min-w-0 md:max-w-52">
      <bdi className="block truncate font-medium" title={clientName}>
        {clientName}
      </bdi>
      <bdi className="block text-xs wrap-anywhere text-muted">
        {clientDocument ?? redirectHost}
      </bdi>
    </div>
  );
}

function Used({ grant }: { grant: GrantOfUser }) {
  const texts = useProgramTexts();
  const { createdAt, lastUsedAt, connections } = grant;
  const facts = [
    formatAgo(createdAt),
    ...(connections > 1 ? [texts.times(connections)] : []),
    lastUsedAt ? texts.used(formatAgo(lastUsedAt)) : texts.unused,
  ];
  return (
    <span className="text-xs text-muted" title={formatTime(createdAt)}>
      {facts.join(" · ")}
    </span>
  );
}

function EndButton({ grant, onEnd }: { grant: GrantOfUser; onEnd: OnEnd }) {
  const texts = useProgramTexts();
  return (
    <Button
      look="danger"
      onClick={() => onEnd(grant)}
      aria-label={`${texts.end}: ${grant.clientName}, ${grant.userName}`}
    >
      {texts.end}
    </Button>
  );
}
