import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { notify } from "../../ui/notices.tsx";
import { DeleteUser } from "./delete-user.tsx";
import {
  deleteExternalUser,
  type ExternalUser,
  setExternalDisabled,
} from "./external-queries.ts";
import { useStateColumns } from "./state-columns.tsx";
import { useUserTexts } from "./texts.ts";

/** Name, state, and since when the user is known. */
export function useExternalColumns(): Column<ExternalUser>[] {
  const texts = useUserTexts();
  const states = useStateColumns(texts.knownSince);
  return [
    {
      key: "name",
      label: texts.name,
      cell: ({ userId, name, email }) => (
        <div className="min-w-0 text-right md:max-w-80 md:text-left">
          <bdi className="block truncate font-medium" title={`${name} ${userId}`}>
            {name || userId}
          </bdi>
          <bdi className="block truncate text-xs text-muted" title={email}>
            {email}
          </bdi>
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
