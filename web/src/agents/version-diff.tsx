import { useQuery } from "@tanstack/react-query";
import { Loading, Problem } from "../ui/states.tsx";
import { TextChanges } from "../ui/text-changes.tsx";
import { formatNumber } from "../texts/format.ts";
import {
  type AgentFields,
  agentFilesQuery,
  diffQuery,
  type FieldChange,
} from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

interface VersionDiffProps {
  id: string;
  from: number;
  to: number;
}

const CONTEXT_CHARACTERS = 200;

/** What differs between two versions, field by field. */
export function VersionDiff({ id, from, to }: VersionDiffProps) {
  const texts = useAgentTexts();
  const { data, error, refetch } = useQuery(diffQuery(id, from, to));
  const hasFiles = data?.changes.some(({ field }) => field === "files") ?? false;
  const { data: files } = useQuery({ ...agentFilesQuery(id), enabled: hasFiles });
  const show = useShowValue();
  const nameOf = (file: string) =>
    files?.items.find((one) => one.id === file)?.fileName ?? texts.unknownDocument;
  return (
    <section
      aria-label={texts.diff(from, to)}
      className="grid gap-3 rounded-lg border border-hairline bg-raised p-4"
    >
      <h2 className="text-lg">{texts.diff(from, to)}</h2>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading className="px-0" lines={2} />}
      {data?.changes.length === 0 && <p className="text-muted">{texts.noDifference}</p>}
      <dl className="grid gap-3">
        {data?.changes.map((change) => (
          <div key={change.field} className="grid gap-1">
            <dt className="text-xs font-medium text-muted">
              {texts.fields[change.field as keyof typeof texts.fields] ?? change.field}
            </dt>
            <dd>
              <TextChanges
                changes={change.words ?? wholeChange(change, show, nameOf)}
                context={CONTEXT_CHARACTERS}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The old value removed and the new one added; of lists, the entries that differ. */
function wholeChange(
  { field, from, to }: FieldChange,
  show: (field: string, value: unknown) => string,
  nameOf: (file: string) => string,
) {
  if (Array.isArray(from) && Array.isArray(to)) {
    const entry = field === "files" ? nameOf : String;
    const [before, after] = [from.map(String), to.map(String)];
    const removed = before.filter((one) => !after.includes(one));
    const added = after.filter((one) => !before.includes(one));
    return [
      ...removed.map((one) => ({ kind: "removed" as const, text: `${entry(one)}\n` })),
      ...added.map((one) => ({ kind: "added" as const, text: `${entry(one)}\n` })),
    ];
  }
  return [
    { kind: "removed" as const, text: show(field, from) },
    { kind: "same" as const, text: " " },
    { kind: "added" as const, text: show(field, to) },
  ];
}

/** A value in the words of the editor. */
function useShowValue() {
  const texts = useAgentTexts();
  const words: Record<string, Readonly<Record<string, string>>> = {
    type: texts.types,
    approval: texts.approvals,
  };
  return (field: string, value: unknown): string => {
    if (value === null || value === "" || value === undefined) return texts.none;
    if (typeof value === "object") return describeRetrieval(value, texts);
    return words[field]?.[String(value)] ?? String(value);
  };
}

function describeRetrieval(value: object, texts: ReturnType<typeof useAgentTexts>): string {
  const { topK, grade, mode, rerank } = value as NonNullable<AgentFields["retrieval"]>; // the one object
  const lines = [
    `${texts.mode}: ${texts.modes[mode]}`,
    `${texts.topK}: ${topK}`,
    `${texts.grade}: ${formatNumber(grade)}`,
    rerank?.enabled && texts.rerank,
  ];
  return lines.filter(Boolean).join("\n");
}
