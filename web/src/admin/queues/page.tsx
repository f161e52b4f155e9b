import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { formatNumber } from "../../texts/format.ts";
import { nameOf } from "../../texts/name-of.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { queuesQuery } from "./queries.ts";
import { useQueueTexts } from "./texts.ts";

/** The number of waiting messages of each queue, and of those that failed on every attempt. */
export function QueuesPage() {
  const texts = useQueueTexts();
  const { data, error, refetch } = useQuery(queuesQuery);
  return (
    <PartSection title={texts.title} hint={texts.hint}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading shape="table" lines={6} />}
      {data?.queues.length === 0 && (
        <Empty icon={Inbox} picture="rows" title={texts.none}>
          {texts.noneHint}
        </Empty>
      )}
      {data && data.queues.length > 0 && (
        <DataTable
          caption={texts.title}
          rows={data.queues}
          keyOf={({ name }) => name}
          columns={[
            {
              key: "name",
              label: texts.queue,
              cell: ({ name }) => <QueueName name={name} />,
            },
            {
              key: "waiting",
              label: texts.waiting,
              isNumber: true,
              isUnsaid: ({ waiting }) => waiting === 0,
              cell: ({ waiting }) => formatNumber(waiting),
            },
            {
              key: "dead",
              label: texts.dead,
              isNumber: true,
              isUnsaid: ({ deadLetters }) => deadLetters === 0,
              cell: ({ name, deadLetters }) =>
                deadLetters === 0 ? (
                  "0"
                ) : (
                  <Link
                    to="/admin/queues/$name"
                    params={{ name }}
                    className="inline-block min-h-6 text-accent underline"
                  >
                    {texts.look(formatNumber(deadLetters))}
                  </Link>
                ),
            },
          ]}
        />
      )}
    </PartSection>
  );
}

function QueueName({ name }: { name: string }) {
  const texts = useQueueTexts();
  return (
    <span>
      {nameOf(texts.names, name)}
      <code className="block font-mono text-xs text-muted">{name}</code>
    </span>
  );
}
