import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { toFailure } from "../api/failure.ts";
import { appQuery, meQuery } from "../shell/queries.ts";
import { Button } from "../ui/button.tsx";
import { notify } from "../ui/notices.tsx";
import { Section } from "../ui/section.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { changePassword, endOtherSessions, endSession, sessionsQuery } from "./queries.ts";
import { useSettingsTexts } from "./texts.ts";
import type { Session } from "../../../src/services/users/contract-sessions.ts";
import { formatAgo, formatDate } from "../texts/format.ts";
import { More } from "../ui/more.tsx";
import { describeUserAgent } from "../shell/describe-user-agent.ts";
import { useList } from "../shell/use-list.ts";

export function Security() {
  return (
    <>
      <PasswordForm />
      <Sessions />
    </>
  );
}

function PasswordForm() {
  const { password: texts } = useSettingsTexts();
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const { data: me } = useQuery(meQuery);
  const { data: app } = useQuery(appQuery);
  const minCharacters = app?.limits.passwordCharacters;
  const change = useMutation({
    mutationFn: changePassword,
    async onSuccess() {
      form.current?.reset();
      await queries.invalidateQueries({ queryKey: ["settings", "sessions"] });
      notify(texts.changed);
    },
  });
  const isWrong = change.error && toFailure(change.error).code === "password_wrong";
  return (
    <Section title={texts.title} hint={texts.hint}>
      <form
        ref={form}
        className="grid max-w-md gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const text = (name: string) => String(fields.get(name) ?? "");
          change.mutate({
            email: me?.email ?? "",
            currentPassword: text("current"),
            newPassword: text("next"),
          });
        }}
      >
        <input hidden autoComplete="username" value={me?.email ?? ""} readOnly />
        <PasswordField
          label={texts.current}
          name="current"
          autoComplete="current-password"
          error={isWrong ? texts.wrong : undefined}
          required
        />
        <PasswordField
          label={texts.next}
          hint={minCharacters && texts.rule(minCharacters)}
          name="next"
          autoComplete="new-password"
          minLength={minCharacters}
          required
        />
        {change.error && !isWrong && <Problem error={change.error} />}
        <Button
          type="submit"
          look="primary"
          busy={change.isPending}
          className="justify-self-start"
        >
          {texts.change}
        </Button>
      </form>
    </Section>
  );
}

/** The sessions of the user. */
function Sessions() {
  const { sessions: texts } = useSettingsTexts();
  const list = useList(sessionsQuery);
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    async onSuccess({ ended }) {
      notify(texts.othersEnded(ended));
      await refresh();
    },
  });
  const end = useMutation({
    mutationFn: endSession,
    async onSuccess() {
      notify(texts.ended);
      await refresh();
    },
  });
  const hasOthers = list.data?.items.some(({ current }) => !current) ?? false;
  const error = end.error ?? endOthers.error;
  return (
    <Section
      title={texts.title}
      hint={texts.hint}
      actions={
        hasOthers && (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {texts.endOthers}
          </Button>
        )
      }
    >
      {list.isPending && <Loading shape="list" lines={4} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {error && <Problem error={error} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
      <More list={list} />
    </Section>
  );
}

interface RowProps {
  session: Session & { current: boolean };
  busy: boolean;
  onEnd: () => void;
}

function SessionRow({ session, busy, onEnd }: RowProps) {
  const { sessions: texts } = useSettingsTexts();
  const { userAgent, kind, current, lastUsedAt, createdAt } = session;
  const program = describeUserAgent(userAgent) || texts.unknown;
  const title = kind === "token" ? `${program} (${texts.token})` : program;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-56 max-sm:basis-full" title={userAgent}>
        <p className="truncate font-medium">
          <bdi>{title}</bdi>
        </p>
        <p className="text-xs text-muted">
          {texts.used(formatAgo(lastUsedAt))} · {texts.started(formatDate(createdAt))}
        </p>
      </div>
      {current ? (
        <span className="text-xs text-muted">{texts.current}</span>
      ) : (
        <Button busy={busy} onClick={onEnd} aria-label={`${texts.end}: ${title}`}>
          {texts.end}
        </Button>
      )}
    </li>
  );
}
