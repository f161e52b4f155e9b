import { useNavigate, useSearch } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useList } from "../../shell/use-list.ts";
import { formatNumber } from "../../texts/format.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import {
  externalUsersQuery,
  deleteExternalUser,
  type ExternalUser,
  setExternalDisabled,
} from "./external-queries.ts";
import type { ExternalSearch } from "./routes.ts";
import { useUserTexts } from "./texts.ts";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { notify } from "../../ui/notices.tsx";
import { DeleteUser } from "./delete-user.tsx";
import { useStateColumns, StateFilter, UserTabs } from "./state-columns.tsx";

/** Users whom the organisation's own token issuer signs in. */
export function ExternalUsersPage() {
  const texts = useUserTexts();
  const search = useSearch({ from: "/app/admin/users/external" });
  const list = useList(externalUsersQuery(search));
  const columns = useExternalColumns();
  const total = list.data?.total;
  const isNarrowed = search.q !== undefined || search.state !== undefined;
  return (
    <>
      <UserTabs />
      <PartSection title={texts.kinds.external} hint={texts.externalHint}>
        {(isNarrowed || total !== 0) && <Filters search={search} />}
        {list.isPending && <Loading shape="table" lines={8} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {total !== undefined && total > 0 && (
          <>
            <p className="text-xs text-muted">{texts.count(total, formatNumber(total))}</p>
            <DataTable
              caption={texts.kinds.external}
              columns={columns}
              rows={list.data?.items ?? []}
              keyOf={({ userId }) => userId}
            />
          </>
        )}
        {total === 0 && (
          <Empty
            icon={KeyRound}
            picture="rows"
            title={isNarrowed ? texts.nobody : texts.noExternal}
          >
            {isNarrowed ? texts.nobodyHint : texts.noExternalHint}
          </Empty>
        )}
        <More list={list} />
      </PartSection>
    </>
  );
}

function Filters({ search }: { search: ExternalSearch }) {
  const texts = useUserTexts();
  const navigate = useNavigate();
  const narrow = (change: Partial<Record<keyof ExternalSearch, string | undefined>>) =>
    void navigate({
      to: "/admin/users/external",
      search: { ...search, ...change } as ExternalSearch, // the route validates it
      replace: true,
    });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        label={texts.search}
        className="min-w-0 flex-1 basis-56 max-sm:basis-full"
        value={search.q}
        onSearch={(q) => narrow({ q })}
      />
      <StateFilter value={search.state} onChange={(state) => narrow({ state })} />
    </div>
  );
}

/** Name, state, and since when the user is known. */
function useExternalColumns(): Column<ExternalUser>[] {
  const texts = useUserTexts();
  const states = useStateColumns(texts.knownSince);
  return [
    {
      key: "name",
      label: texts.name,
      cell: ({ userId, name, email }) => (
        <div className="flex min-w-0 items-center gap-2">
          <Avatar name={name || userId} />
          <div className="min-w-0 md:max-w-80">
            <bdi className="block truncate font-medium" title={`${name} ${userId}`}>
              {name || userId}
            </bdi>
            <bdi className="block truncate text-xs text-muted" title={email}>
              {email}
            </bdi>
          </div>
        </div>
      ),
    },
    ...states,
    {
      key: "actions",
      label: texts.actions,
      hideLabel: true,
      cell: (user) => <Switch user={user} />,
    },
  ];
}

const EXTERNAL_KEYS = [["users", "external"]];

function Switch({ user }: { user: ExternalUser }) {
  const texts = useUserTexts();
  const [isAsking, setAsking] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const { userId, disabled } = user;
  const name = user.name || userId;
  const enable = useChange({
    run: () => setExternalDisabled(userId, false),
    keys: EXTERNAL_KEYS,
    onDone: () => notify(texts.externalEnabled(name)),
  });
  const action = disabled ? texts.enable : texts.disable;
  return (
    <span className="ml-auto flex flex-wrap justify-end gap-2">
      <Button
        look={disabled ? "secondary" : "danger"}
        aria-label={`${action}: ${name}`}
        busy={enable.isPending}
        onClick={() => (disabled ? enable.mutate() : setAsking(true))}
      >
        {action}
      </Button>
      <Button
        look="danger"
        aria-label={`${texts.delete}: ${name}`}
        onClick={() => setDeleting(true)}
      >
        {texts.delete}
      </Button>
      {isDeleting && (
        <DeleteUser
          user={{ id: userId, name }}
          run={deleteExternalUser}
          onClose={() => setDeleting(false)}
        />
      )}
      {isAsking && (
        <ConfirmChange
          title={texts.disableTitle(name)}
          text={texts.disableText}
          action={action}
          run={() => setExternalDisabled(userId, true)}
          keys={EXTERNAL_KEYS}
          done={texts.externalDisabled(name)}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}
