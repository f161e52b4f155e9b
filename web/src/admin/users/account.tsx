import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { useNewest } from "../../shell/use-newest.ts";
import { useOwnChanges } from "../../shell/use-own-changes.ts";
import { Button } from "../../ui/button.tsx";
import { textOf } from "../../ui/form-dialog.tsx";
import { notify } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { DeleteUser } from "./delete-user.tsx";
import {
  changeUser,
  deleteUser,
  exportUser,
  type User,
  userQuery,
  endSessions,
  sessionsOfUserQuery,
} from "./queries.ts";
import { PROGRAM_KEYS } from "./program-queries.ts";
import { ProgramsOfUser } from "./programs-page.tsx";
import { chosenRoles, RoleChoice } from "./role-choice.tsx";
import { useUserTexts } from "./texts.ts";
import { describeUserAgent } from "../../shell/describe-user-agent.ts";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { More } from "../../ui/more.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";

/** Who a user is, how they sign in, and their data. */
export function Account() {
  const { id } = useParams({ from: "/app/admin/users/$id" });
  const { data: user } = useQuery(userQuery(id));
  // the form keeps its initial values, whatever others change meanwhile
  const [edited, setEdited] = useState<User>();
  if (!user) return null; // the page above shows why
  const shown = edited?.id === id ? edited : user;
  return (
    <>
      <Profile
        key={shown.updatedAt}
        user={shown}
        onEdit={() => setEdited(shown)}
        onSaved={() => setEdited(undefined)}
      />
      <SignIn user={user} />
      <Data user={user} />
    </>
  );
}

interface ProfileProps {
  user: User;
  onEdit: () => void;
  onSaved: () => void;
}

type Fields = Pick<User, "name" | "email" | "roles">;

function toFields({ name, email, roles }: User): Fields {
  return { name, email, roles: roles.toSorted() };
}

/** Sends only what was changed here: new roles end the sessions of the user. */
function Profile({ user, onEdit, onSaved }: ProfileProps) {
  const texts = useUserTexts();
  const readNewest = useNewest(userQuery(user.id));
  const ownChanges = useOwnChanges({
    stored: toFields(user),
    readNewest: async () => toFields(await readNewest()),
    names: { name: texts.name, email: texts.email, roles: texts.roles },
  });
  const change = useChange({
    run: async (fields: Fields) => changeUser(user.id, (await ownChanges(fields)).changes),
    keys: [["user", user.id], ["users"]],
    onDone() {
      onSaved();
      notify(texts.saved);
    },
  });
  const save = (fields: FormData) =>
    change.mutate({
      name: textOf(fields, "name"),
      email: textOf(fields, "email"),
      roles: chosenRoles(fields).toSorted(),
    });
  return (
    <form
      className="grid max-w-md gap-4"
      onInput={onEdit}
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) save(new FormData(event.currentTarget));
      }}
    >
      <TextField
        label={texts.name}
        name="name"
        defaultValue={user.name}
        maxLength={200}
        required
      />
      <TextField
        label={texts.email}
        name="email"
        type="email"
        defaultValue={user.email}
        maxLength={320}
        required
      />
      <RoleChoice chosen={user.roles} />
      <p className="text-xs text-muted">{texts.rolesEndSessions}</p>
      {change.error && <Problem error={change.error} />}
      <Button
        type="submit"
        look="primary"
        busy={change.isPending}
        className="justify-self-start"
      >
        {texts.save}
      </Button>
    </form>
  );
}

function Data({ user }: { user: User }) {
  const texts = useUserTexts();
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const download = useChange({ run: () => exportUser(user.id), keys: [] });
  const remove = async (id: string, heir: string | undefined) => {
    await deleteUser(id, heir);
    await navigate({ to: "/admin/users" });
  };
  return (
    <Section title={texts.data} hint={texts.dataHint}>
      {download.error && <Problem error={download.error} />}
      <div className="flex flex-wrap gap-2">
        <Button busy={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden size={16} />
          {texts.export}
        </Button>
        <Button look="danger" onClick={() => setDeleting(true)}>
          {texts.delete}
        </Button>
      </div>
      {isDeleting && (
        <DeleteUser user={user} run={remove} onClose={() => setDeleting(false)} />
      )}
    </Section>
  );
}

/** Whether and where a user is signed in, and how to end that. */
function SignIn({ user }: { user: User }) {
  const texts = useUserTexts();
  const { id, disabled } = user;
  const [isNewPassword, setNewPassword] = useState(false);
  const keys = [["user", id], ["users"]];
  const setDisabled = useChange({
    run: (value: boolean) => changeUser(id, { disabled: value }),
    keys,
    onDone: ({ disabled: isDisabled }) =>
      notify(isDisabled ? texts.nowDisabled : texts.nowEnabled),
  });
  const end = useChange({
    run: () => endSessions(id),
    keys: [...keys, ...PROGRAM_KEYS],
    onDone: () => notify(texts.sessionsEnded),
  });
  const error = setDisabled.error ?? end.error;
  return (
    <Section title={texts.signIn} hint={disabled ? texts.disabledHint : texts.signInHint}>
      <Sessions id={id} />
      <ProgramsOfUser id={id} />
      {error && <Problem error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button busy={end.isPending} onClick={() => end.mutate()}>
          {texts.endSessions}
        </Button>
        <Button onClick={() => setNewPassword(true)}>{texts.newPassword}</Button>
        <Button
          look={disabled ? "secondary" : "danger"}
          busy={setDisabled.isPending}
          onClick={() => setDisabled.mutate(!disabled)}
        >
          {disabled ? texts.enable : texts.disable}
        </Button>
      </div>
      {isNewPassword && <NewPassword user={user} onClose={() => setNewPassword(false)} />}
    </Section>
  );
}

function Sessions({ id }: { id: string }) {
  const texts = useUserTexts();
  const list = useList(sessionsOfUserQuery(id));
  if (list.isPending) return <Loading lines={2} className="px-0" />;
  if (list.error) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  if (list.data.total === 0) return <p className="text-muted">{texts.noSessions}</p>;
  return (
    <div>
      <ul className="divide-y divide-hairline" aria-label={texts.sessions}>
        {list.data.items.map((session) => (
          <li key={session.id} className="flex flex-wrap gap-x-4 py-2">
            <bdi className="min-w-0 flex-1 basis-40 truncate" title={session.userAgent}>
              {describeUserAgent(session.userAgent) || texts.unknownProgram}
            </bdi>
            <span className="text-xs text-muted" title={formatTime(session.lastUsedAt)}>
              {texts.lastUsed(formatAgo(session.lastUsedAt))}
            </span>
          </li>
        ))}
      </ul>
      <More list={list} />
    </div>
  );
}

const PASSWORD_BYTES = 15;

interface NewPasswordProps {
  user: User;
  onClose: () => void;
}

/** Replaces a forgotten password by a random one, which is shown once. */
function NewPassword({ user, onClose }: NewPasswordProps) {
  const texts = useUserTexts();
  const change = useChange({
    run: async () => {
      const password = randomPassword();
      await changeUser(user.id, { password });
      return password;
    },
    keys: [["user", user.id]],
  });
  if (change.data !== undefined) {
    return (
      <Dialog title={texts.newPassword} size="small" onClose={onClose}>
        <ShownOnce
          warning={texts.passwordOnce(user.email)}
          value={change.data}
          onClose={onClose}
        />
      </Dialog>
    );
  }
  return (
    <Confirm
      title={texts.newPassword}
      text={texts.newPasswordText(user.name)}
      action={texts.setPassword}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}

function randomPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(PASSWORD_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
