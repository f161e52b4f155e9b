import { useQuery } from "@tanstack/react-query";
import { Workflow, Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { awaitsFirst } from "../../shell/awaits-first.ts";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { useChange } from "../../shell/use-change.ts";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatDate } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { More } from "../../ui/more.tsx";
import { notify } from "../../ui/notices.tsx";
import { PartSection } from "../part-section.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import {
  createScimToken,
  revokeScimToken,
  scimAddressQuery,
  type ScimToken,
  scimTokensQuery,
  TOKEN_KEYS,
} from "./provisioning-queries.ts";
import { useProvisioningTexts } from "./provisioning-texts.ts";
import { UserTabs } from "./state-columns.tsx";

/** How the identity provider manages accounts and groups: its address and its tokens. */
export function ProvisioningPage() {
  const texts = useProvisioningTexts();
  const found = useList(scimTokensQuery);
  // an address that comes later would move the tokens
  const list = awaitsFirst(useQuery(scimAddressQuery))
    ? { ...found, isPending: true, data: undefined }
    : found;
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ScimToken>();
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={16} />
      {texts.create}
    </Button>
  );
  const items = list.data?.items;
  return (
    <>
      <UserTabs />
      <PartSection
        title={texts.title}
        hint={texts.hint}
        actions={items?.length ? create : undefined}
      >
        <Address />
        {list.isPending && <Loading shape="list" lines={4} />}
        {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
        {items?.length === 0 && (
          <Empty icon={Workflow} picture="rows" title={texts.empty} action={create}>
            {texts.emptyHint}
          </Empty>
        )}
        <ul className="divide-y divide-hairline">
          {items?.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </ul>
        <More list={list} />
      </PartSection>
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} />}
      {revoking && (
        <ConfirmChange
          title={texts.revokeTitle}
          text={texts.revokeText(revoking.name)}
          action={texts.revoke}
          run={() => revokeScimToken(revoking.id)}
          keys={TOKEN_KEYS}
          done={texts.revoked}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

function Address() {
  const texts = useProvisioningTexts();
  const { data } = useQuery(scimAddressQuery);
  if (data === undefined) return null;
  const copy = () => copyText(data).then(() => notify(texts.copied));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-xs text-muted">{texts.address}</span>
      <code className="min-w-0 font-mono text-xs wrap-anywhere select-all">{data}</code>
      <Button onClick={() => void copy()}>{texts.copy}</Button>
    </div>
  );
}

function TokenRow({ token, onRevoke }: { token: ScimToken; onRevoke: () => void }) {
  const texts = useProvisioningTexts();
  const { name, expiresAt, lastUsedAt, createdByName, counts } = token;
  const facts = [
    useExpiry(expiresAt),
    lastUsedAt ? texts.used(formatAgo(lastUsedAt)) : texts.unused,
    createdByName === null ? texts.byNobody : texts.by(createdByName),
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-56 max-sm:basis-full">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="text-xs text-muted">{facts.join(" · ")}</p>
        {!counts && <p className="text-xs text-warn">{texts.refused}</p>}
      </div>
      <Button look="danger" onClick={onRevoke} aria-label={`${texts.revoke}: ${name}`}>
        {texts.revoke}
      </Button>
    </li>
  );
}

function useExpiry(expiresAt: string | null): string {
  const texts = useProvisioningTexts();
  if (expiresAt === null) return texts.forever;
  const isPast = Date.parse(expiresAt) < Date.now();
  return isPast ? texts.expired(formatDate(expiresAt)) : texts.until(formatDate(expiresAt));
}

const EXPIRY_DAYS = ["365", "180", "never"] as const;
const DAY_MS = 86_400_000;

/** Creates a token and shows it once. */
function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const texts = useProvisioningTexts();
  const [made, setMade] = useState<string>();
  const create = useChange({
    run: createScimToken,
    keys: TOKEN_KEYS,
    onDone: ({ token }) => setMade(token),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const days = Number(fields.get("expires"));
    const expiresAt =
      days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : undefined;
    create.mutate({ name: String(fields.get("name") ?? ""), expiresAt });
  };
  if (made !== undefined)
    return (
      <Dialog title={texts.made} onClose={onClose}>
        <ShownOnce warning={texts.once} value={made} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={texts.create} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <p className="text-warn">{texts.warning}</p>
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          name="name"
          maxLength={200}
          required
          autoFocus
        />
        <SelectField label={texts.expires} name="expires" defaultValue="365">
          {EXPIRY_DAYS.map((days) => (
            <option key={days} value={days}>
              {texts.expiry[days]}
            </option>
          ))}
        </SelectField>
        {create.error !== null && <Problem error={create.error} />}
        <Button type="submit" look="primary" busy={create.isPending}>
          {texts.create}
        </Button>
      </form>
    </Dialog>
  );
}
