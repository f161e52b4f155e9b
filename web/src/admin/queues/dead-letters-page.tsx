import { useParams } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../shell/use-change.ts";
import { useList } from "../../shell/use-list.ts";
import { nameOf } from "../../texts/name-of.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmChange } from "../../shell/confirm-change.tsx";
import { More } from "../../ui/more.tsx";
import { notify } from "../../ui/notices.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { PartSection, usePartThing } from "../part-section.tsx";
import { DeadLetterRow } from "./dead-letter-row.tsx";
import { deadLettersQuery, discardDeadLetters, retryDeadLetters } from "./queries.ts";
import { useQueueTexts } from "./texts.ts";

const KEYS = [["queues"]];

/** Messages that failed on every attempt, with a way to try them again or to delete them. */
export function DeadLettersPage() {
  const texts = useQueueTexts();
  const { name } = useParams({ from: "/app/admin/queues/$name" });
  const words = nameOf(texts.names, name);
  const list = useList(deadLettersQuery(name));
  const [isDeleting, setDeleting] = useState(false);
  const retry = useChange({
    run: () => retryDeadLetters(name),
    keys: KEYS,
    onDone: ({ retried }) => notify(texts.retried(retried)),
  });
  const title = texts.deadTitle(words);
  usePartThing(title, "/admin/queues", texts.back);
  const actions = list.data && list.data.total > 0 && (
    <div className="flex flex-wrap gap-2">
      <Button look="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
        {texts.retryAll}
      </Button>
      <Button look="danger" onClick={() => setDeleting(true)}>
        {texts.deleteAll}
      </Button>
    </div>
  );
  return (
    <PartSection title={title} hint={texts.deadHint} actions={actions}>
      {list.isPending && <Loading shape="list" lines={6} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {retry.error && <Problem error={retry.error} />}
      {list.data?.total === 0 && (
        <Empty icon={Inbox} picture="rows" title={texts.noDead}>
          {texts.noDeadHint}
        </Empty>
      )}
      <ul className="grid gap-3">
        {list.data?.items.map((letter) => (
          <DeadLetterRow key={letter.id} queue={name} letter={letter} />
        ))}
      </ul>
      <More list={list} />
      {isDeleting && (
        <ConfirmChange
          title={texts.deleteTitle}
          text={texts.deleteText(words)}
          action={texts.deleteAll}
          run={() => discardDeadLetters(name)}
          keys={KEYS}
          done={({ discarded }) => texts.deleted(discarded)}
          onClose={() => setDeleting(false)}
        />
      )}
    </PartSection>
  );
}
