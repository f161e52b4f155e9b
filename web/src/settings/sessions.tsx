import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Session } from "../../../src/services/users/contract-sessions.ts";
import { formatAgo, formatDate } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { notify } from "../ui/notices.tsx";
import { Section } from "../ui/section.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { describeUserAgent } from "../shell/describe-user-agent.ts";
import { useList } from "../shell/use-list.ts";
import { endOtherSessions, endSession, sessionsQuery } from "./queries.ts";
import { useSettingsTexts } from "./texts.ts";

/** The sessions of the user. */
export function Sessions() {
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
      {list.isPending && <Loading />}
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
      <div className="min-w-0 flex-1 basis-56" title={userAgent}>
        <p className="truncate font-medium">
          <bdi>{title}</bdi>
        </p>
        <p className="text-xs text-muted">
          {texts.used(formatAgo(lastUsedAt))} · {texts.started(formatDate(createdAt))}
        </p>
      </div>
      {current ? (
        <span className="text-xs text-ok">{texts.current}</span>
      ) : (
        <Button busy={busy} onClick={onEnd} aria-label={`${texts.end}: ${title}`}>
          {texts.end}
        </Button>
      )}
    </li>
  );
}
