import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useList } from "../shell/use-list.ts";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import type { usersContract } from "../../../src/services/users/contract.ts";
import { formatAgo, formatDate } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { More } from "../ui/more.tsx";
import { Section } from "../ui/section.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { NewKeyDialog } from "./new-key.tsx";
import { keysQuery, revokeKey } from "./queries.ts";
import { useSettingsTexts } from "./texts.ts";

type ApiKey = RouteOk<typeof usersContract.listApiKeys>["items"][number];

export function Keys() {
  const { keys: texts } = useSettingsTexts();
  const list = useList(keysQuery);
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  const items = list.data?.items;
  return (
    <Section
      title={texts.title}
      hint={texts.hint}
      actions={items?.length ? create : undefined}
    >
      {list.isPending && <Loading />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {items?.length === 0 && (
        <Empty icon={KeyRound} title={texts.empty} action={create}>
          {texts.emptyHint}
        </Empty>
      )}
      <ul className="divide-y divide-hairline">
        {items?.map((key) => (
          <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
        ))}
      </ul>
      <More list={list} />
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
      {revoking && <Revocation apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Section>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { keys: texts } = useSettingsTexts();
  const { name, scopes, lastUsedAt } = apiKey;
  const facts = [
    scopes === null ? texts.all : texts.permissions(scopes.length),
    useExpiry(apiKey.expiresAt),
    lastUsedAt ? texts.used(formatAgo(lastUsedAt)) : texts.unused,
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-56" title={scopes?.join(", ")}>
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="text-xs text-muted">{facts.join(" · ")}</p>
      </div>
      <Button look="danger" onClick={onRevoke} aria-label={`${texts.revoke}: ${name}`}>
        {texts.revoke}
      </Button>
    </li>
  );
}

function useExpiry(expiresAt: string | null): string {
  const { keys: texts } = useSettingsTexts();
  if (expiresAt === null) return texts.forever;
  const isPast = Date.parse(expiresAt) < Date.now();
  return isPast ? texts.expired(formatDate(expiresAt)) : texts.until(formatDate(expiresAt));
}

function Revocation({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { keys: texts } = useSettingsTexts();
  return (
    <ConfirmChange
      title={texts.revokeTitle}
      text={texts.revokeText(apiKey.name)}
      action={texts.revoke}
      run={() => revokeKey(apiKey.id)}
      keys={[keysQuery.queryKey]}
      done={texts.revoked}
      onClose={onClose}
    />
  );
}
