import { useState } from "react";
import { describeUserAgent } from "../../shell/describe-user-agent.ts";
import { useChange } from "../../shell/use-change.ts";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { notify } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { changeUser, endSessions, sessionsOfUserQuery, type User } from "./queries.ts";
import { useUserTexts } from "./texts.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";

/** Whether and where a user is signed in, and how to end that. */
export function SignIn({ user }: { user: User }) {
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
    keys,
    onDone: () => notify(texts.sessionsEnded),
  });
  const error = setDisabled.error ?? end.error;
  return (
    <Section title={texts.signIn} hint={disabled ? texts.disabledHint : texts.signInHint}>
      <Sessions id={id} />
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
