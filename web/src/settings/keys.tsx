import { KeyRound, Plus } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useList } from "../shell/use-list.ts";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import type { usersContract } from "../../../src/services/users/contract.ts";
import { formatAgo, formatDate } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { More } from "../ui/more.tsx";
import { Section } from "../ui/section.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import {
  keysQuery,
  revokeKey,
  createKey,
  type NewKey,
  permissionsQuery,
} from "./queries.ts";
import { ChooseTools } from "./choose-tools.tsx";
import { useSettingsTexts } from "./texts.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { meQuery } from "../shell/queries.ts";
import { usePermissionText } from "../texts/permission-text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { TextField } from "../ui/text-field.tsx";

type ApiKey = RouteOk<typeof usersContract.listApiKeys>["items"][number];

export function Keys() {
  const { keys: texts } = useSettingsTexts();
  const list = useList(keysQuery);
  const [isCreating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden size={16} />
      {texts.create}
    </Button>
  );
  const items = list.data?.items;
  return (
    <Section
      title={texts.title}
      isNamedAbove
      hint={texts.hint}
      actions={items?.length ? create : undefined}
    >
      {list.isPending && <Loading shape="list" lines={4} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {items?.length === 0 && (
        <Empty icon={KeyRound} picture="rows" title={texts.empty} action={create}>
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
  const { name, scopes, tools, lastUsedAt } = apiKey;
  const textOf = usePermissionText();
  const facts = [
    scopes === null ? texts.all : texts.permissions(scopes.length),
    ...(tools === null ? [] : [texts.onlyTools(tools.join(", "))]),
    useExpiry(apiKey.expiresAt),
    lastUsedAt ? texts.used(formatAgo(lastUsedAt)) : texts.unused,
  ];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-40" title={scopes?.map(textOf).join("\n")}>
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

const EXPIRY_DAYS = ["30", "90", "365", "never"] as const;
const DAY_MS = 86_400_000;

/** Creates a key and shows it once. */
function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { keys: texts } = useSettingsTexts();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: createKey,
    onSuccess: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const made = create.data;
  return (
    <Dialog title={made ? texts.created : texts.create} onClose={onClose}>
      {made ? (
        <ShownOnce warning={texts.once} value={made.key} onClose={onClose} />
      ) : (
        <KeyForm busy={create.isPending} error={create.error} onCreate={create.mutate} />
      )}
    </Dialog>
  );
}

interface FormProps {
  busy: boolean;
  error: unknown;
  onCreate: (key: NewKey) => void;
}

function KeyForm({ busy, error, onCreate }: FormProps) {
  const { keys: texts, chooseTools } = useSettingsTexts();
  const [isLimited, setLimited] = useState(false);
  const [tools, setTools] = useState<readonly string[]>();
  const [lacksTool, setLacksTool] = useState(false);
  const [lacksScope, setLacksScope] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = readKey(new FormData(event.currentTarget), isLimited);
    const isEmpty = isLimited && key.scopes?.length === 0;
    setLacksScope(isEmpty);
    setLacksTool(tools?.length === 0);
    if (isEmpty || tools?.length === 0) return;
    onCreate({ ...key, ...(tools && { tools: [...tools] }) });
  };
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <TextField
        label={texts.name}
        hint={texts.nameHint}
        name="name"
        maxLength={200}
        required
        autoFocus
      />
      <SelectField label={texts.expires} name="expires" defaultValue="90">
        {EXPIRY_DAYS.map((days) => (
          <option key={days} value={days}>
            {texts.expiry[days]}
          </option>
        ))}
      </SelectField>
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-medium">{texts.scope}</legend>
        {[false, true].map((limits) => (
          <label key={String(limits)} className="flex min-h-6 items-start gap-2">
            <input
              type="radio"
              name="limited"
              className="mt-0.5 accent-accent"
              checked={isLimited === limits}
              onChange={() => setLimited(limits)}
            />
            {limits ? texts.chosen : texts.everything}
          </label>
        ))}
        {isLimited && <Scopes />}
        {lacksScope && (
          <p role="alert" className="text-xs text-danger">
            {texts.chooseOne}
          </p>
        )}
      </fieldset>
      <div className="grid gap-1">
        <ChooseTools legend={texts.tools} value={tools} onChange={setTools} />
        {lacksTool && (
          <p role="alert" className="text-xs text-danger">
            {chooseTools.chooseOne}
          </p>
        )}
      </div>
      {error !== null && <Problem error={error} />}
      <Button type="submit" look="primary" busy={busy}>
        {texts.create}
      </Button>
    </form>
  );
}

/** The permissions that the person has themselves. */
function Scopes() {
  const { data } = useQuery(permissionsQuery);
  const { data: me } = useQuery(meQuery);
  const textOf = usePermissionText();
  if (!data || !me) return <Loading lines={4} />;
  const own = data.items.filter(({ name }) => me.permissions.includes(name));
  return (
    <div className="max-h-64 overflow-y-auto rounded-md border border-control p-2">
      {own.map(({ name }) => (
        <label key={name} className="flex items-start gap-2 rounded-md p-1 hover:bg-hover">
          <input
            type="checkbox"
            name="scope"
            value={name}
            className="mt-0.5 accent-accent"
          />
          <span title={name}>{textOf(name)}</span>
        </label>
      ))}
    </div>
  );
}

function readKey(fields: FormData, isLimited: boolean): NewKey {
  const days = Number(fields.get("expires"));
  const expiresAt =
    days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : undefined;
  const name = String(fields.get("name") ?? "");
  const key = { name, expiresAt };
  if (!isLimited) return key;
  // the values of the checkboxes are names of permissions
  const scopes = fields.getAll("scope") as NonNullable<NewKey["scopes"]>;
  return { ...key, scopes };
}
