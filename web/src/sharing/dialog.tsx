import { Share2, Link2, Users, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Resource, AccessRole } from "../../../src/services/users/contract-sharing.ts";
import { toFailure } from "../api/failure.ts";
import { useList } from "../shell/use-list.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { More } from "../ui/more.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import {
  sharesQuery,
  shareWith,
  linkQuery,
  type LinkSettings,
  setLink,
  removeShare,
  type Share,
} from "./queries.ts";
import { useSharingTexts } from "./texts.ts";
import { useMayShare } from "./use-may-share.ts";
import { FindSubject } from "../shell/find-subject.tsx";
import type { Subject } from "../shell/subject-queries.ts";
import { useChange } from "../shell/use-change.ts";
import { notify } from "../ui/notices.tsx";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { formatTime, formatAgo } from "../texts/format.ts";
import { copyText } from "../ui/copy-text.ts";
import { Avatar } from "../ui/avatar.tsx";
import { SELECT_LOOK } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { SelectField } from "../ui/select-field.tsx";

interface SharingProps {
  resource: Resource;
  /** What the resource is called. */
  name: string;
  /** The path in this app that a link leads to. */
  path: string;
  onClose: () => void;
}

/** Who may use a resource: users, groups, and everyone with its link. */
export function SharingDialog({ resource, name, path, onClose }: SharingProps) {
  const texts = useSharingTexts();
  const list = useList(sharesQuery(resource));
  const isHidden = list.error && [403, 404].includes(toFailure(list.error).status);
  return (
    <Dialog title={texts.title(name)} onClose={onClose}>
      {list.isPending && <Loading shape="list" lines={3} />}
      {isHidden && <p>{texts.notOwner}</p>}
      {list.error && !isHidden && (
        <Problem error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data && (
        <div className="grid gap-6">
          <AddPeople resource={resource} />
          <section className="grid gap-1">
            <h3 className="font-sans font-medium">{texts.people}</h3>
            {list.data.items.length === 0 && <p className="text-muted">{texts.onlyYou}</p>}
            <ul className="divide-y divide-hairline">
              {list.data.items.map((share) => (
                <ShareRow key={share.id} resource={resource} share={share} />
              ))}
            </ul>
            <More list={list} />
          </section>
          <LinkPart resource={resource} path={path} />
        </div>
      )}
    </Dialog>
  );
}

interface ShareButtonProps extends Omit<SharingProps, "onClose"> {
  children: ReactNode;
}

/** Opens the sharing of a resource; shown only to those who may change who has access. */
export function ShareButton({ resource, name, path, children }: ShareButtonProps) {
  const mayShare = useMayShare(resource);
  const [isOpen, setOpen] = useState(false);
  if (!mayShare) return null;
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <Share2 aria-hidden size={16} />
        {children}
      </Button>
      {isOpen && (
        <SharingDialog
          resource={resource}
          name={name}
          path={path}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Finds people and groups by the beginning of their names, and shares with the chosen one. */
function AddPeople({ resource }: { resource: Resource }) {
  const texts = useSharingTexts();
  const [role, setRole] = useState<AccessRole>("viewer");
  const share = useChange({
    run: async ({ subjectType, subjectId, name }: Subject) => {
      await shareWith(resource, { subjectType, subjectId, accessRole: role });
      notify(texts.shared(name));
    },
    keys: [sharesQuery(resource).queryKey],
  });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <FindSubject
          label={texts.find}
          className="min-w-0 flex-1 basis-56 max-sm:basis-full"
          autoFocus
          onChoose={share.mutate}
        />
        <RoleSelect label={texts.as} role={role} onChange={setRole} />
      </div>
      {share.error && <Problem error={share.error} />}
    </div>
  );
}

const LEVELS = ["viewer", "commenter", "editor"] as const;
type Level = (typeof LEVELS)[number];

/** The link to a resource, for those who have it. */
function LinkPart({ resource, path }: { resource: Resource; path: string }) {
  const texts = useSharingTexts();
  const queries = useQueryClient();
  const { data: link, error, refetch } = useQuery(linkQuery(resource));
  const change = useMutation({
    mutationFn: (settings: LinkSettings) => setLink(resource, settings),
    onSuccess: (changed) => queries.setQueryData(linkQuery(resource).queryKey, changed),
  });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!link) return <Loading lines={2} />;
  const { enabled, accessLevel, expiresAt, allowedUsers } = link;
  const copy = () => copyText(location.origin + path).then(() => notify(texts.copied));
  return (
    <section className="grid gap-3">
      <h3 className="font-sans font-medium">{texts.link}</h3>
      <label className="flex min-h-6 items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 accent-accent"
          checked={enabled}
          onChange={() => change.mutate({ ...link, enabled: !enabled })}
        />
        <span>
          {texts.linkOn}
          <span className="block text-xs text-muted">
            {allowedUsers ? texts.linkFew(allowedUsers.length) : texts.linkHint}{" "}
            {expiresAt && texts.linkUntil(formatTime(expiresAt))}
          </span>
        </span>
      </label>
      {enabled && (
        <div className="flex flex-wrap items-end gap-2">
          <RoleSelect
            label={texts.as}
            role={accessLevel}
            roles={LEVELS}
            onChange={
              (level: AccessRole) => change.mutate({ ...link, accessLevel: level as Level }) // of `roles`
            }
          />
          <Button onClick={() => void copy()}>
            <Link2 aria-hidden size={16} />
            {texts.copy}
          </Button>
        </div>
      )}
      {change.error && <Problem error={change.error} />}
    </section>
  );
}

interface RowProps {
  resource: Resource;
  share: Share;
}

/** A user or group with access, whose role can be changed or revoked. */
function ShareRow({ resource, share }: RowProps) {
  const texts = useSharingTexts();
  const queries = useQueryClient();
  const refresh = () =>
    queries.invalidateQueries({ queryKey: sharesQuery(resource).queryKey });
  const { id, subjectType, subjectId, accessRole, grantedByName, createdAt } = share;
  const name = share.name || `${subjectId} (${texts.gone})`;
  const change = useMutation({
    mutationFn: (role: AccessRole) =>
      shareWith(resource, { subjectType, subjectId, accessRole: role }),
    onSuccess: refresh,
  });
  const undo = () => change.mutate(accessRole);
  const remove = useMutation({
    mutationFn: () => removeShare(id),
    async onSuccess() {
      notify(texts.removed(name), undo);
      await refresh();
    },
  });
  const error = change.error ?? remove.error;
  return (
    <li className="grid gap-2 py-2">
      <div className="flex flex-wrap items-center gap-2">
        {subjectType === "group" ? (
          <Users aria-hidden size={16} className="mx-1.5 shrink-0 text-muted" />
        ) : (
          <Avatar name={share.name} />
        )}
        <div className="min-w-0 flex-1 basis-40">
          <bdi className="block truncate" title={name}>
            {name}
          </bdi>
          <p className="truncate text-xs text-muted" title={formatTime(createdAt)}>
            {texts.sharedBy(grantedByName ?? texts.goneOwner, formatAgo(createdAt))}
          </p>
        </div>
        <div className="flex flex-1 basis-44 items-center gap-2 sm:max-w-56">
          <select
            aria-label={`${texts.as}: ${name}`}
            className={`${SELECT_LOOK} min-w-0 flex-1`}
            value={accessRole}
            onChange={(event) => change.mutate(event.target.value as AccessRole)} // of the options
          >
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {texts.roles[role]}
              </option>
            ))}
          </select>
          <IconButton
            icon={X}
            label={`${texts.remove}: ${name}`}
            onClick={() => remove.mutate()}
          />
        </div>
      </div>
      {error && <Problem error={error} />}
    </li>
  );
}

/** Weakest first. */
const ROLES = ["viewer", "commenter", "editor", "owner"] as const;

interface RoleSelectProps {
  label: string;
  role: AccessRole;
  /** Default: all. */
  roles?: readonly AccessRole[];
  onChange: (role: AccessRole) => void;
}

function RoleSelect({ label, role, roles = ROLES, onChange }: RoleSelectProps) {
  const texts = useSharingTexts();
  return (
    <SelectField
      label={label}
      value={role}
      onChange={(event) => onChange(event.target.value as AccessRole)} // of the options below
    >
      {roles.map((key) => (
        <option key={key} value={key}>
          {texts.roles[key]}
        </option>
      ))}
    </SelectField>
  );
}
