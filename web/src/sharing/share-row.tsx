import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Users, X } from "lucide-react";
import type { AccessRole, Resource } from "../../../src/services/users/contract-sharing.ts";
import { formatAgo, formatTime } from "../texts/format.ts";
import { Avatar } from "../ui/avatar.tsx";
import { INPUT_LOOK } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { notify } from "../ui/notices.tsx";
import { Problem } from "../ui/states.tsx";
import { removeShare, type Share, sharesQuery, shareWith } from "./queries.ts";
import { ROLES } from "./role-select.tsx";
import { useSharingTexts } from "./texts.ts";

interface RowProps {
  resource: Resource;
  share: Share;
}

/** A user or group with access, whose role can be changed or revoked. */
export function ShareRow({ resource, share }: RowProps) {
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
            className={`${INPUT_LOOK} min-w-0 flex-1`}
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
