import { ShieldCheck } from "lucide-react";
import { useChange } from "../../shell/use-change.ts";
import { useList } from "../../shell/use-list.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { notify } from "../../ui/notices.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { approve, type ChangedTool, changedQuery } from "./queries.ts";
import { useToolTexts } from "./texts.ts";
import { compareWords } from "./compare-words.ts";

/**
 * Tools that are new, or changed since they were approved. They are withheld until somebody
 * approves them.
 */
export function ChangedTools() {
  const texts = useToolTexts();
  const list = useList(changedQuery);
  return (
    <PartSection title={texts.tabs.changed} hint={texts.changedHint}>
      {list.isPending && <Loading shape="list" lines={3} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && (
        <Empty icon={ShieldCheck} picture="rows" title={texts.noneChanged}>
          {texts.noneChangedHint}
        </Empty>
      )}
      <ul className="grid gap-4">
        {list.data?.items.map((tool) => (
          <li key={`${tool.server} ${tool.name}`}>
            <ChangedRow tool={tool} />
          </li>
        ))}
      </ul>
      <More list={list} />
    </PartSection>
  );
}

function ChangedRow({ tool }: { tool: ChangedTool }) {
  const texts = useToolTexts();
  const { server, name } = tool;
  const accept = useChange({
    run: () => approve(tool),
    keys: [["tool-servers"]],
    onDone: () => notify(texts.approved(name)),
  });
  return (
    <article className="grid gap-3 rounded-lg border border-hairline bg-raised p-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="min-w-0 flex-1 basis-40 font-sans font-medium wrap-anywhere">
          <bdi>{name}</bdi> <bdi className="font-normal text-muted">{texts.of(server)}</bdi>{" "}
          {tool.isNew && <Badge look="warn">{texts.isNew}</Badge>}
        </h3>
        <Button
          look="primary"
          busy={accept.isPending}
          aria-label={`${texts.approve}: ${name}`}
          onClick={() => accept.mutate()}
        >
          {texts.approve}
        </Button>
      </header>
      {accept.error && <Problem error={accept.error} />}
      <dl className="grid gap-3">
        {differencesOf(tool).map(({ part, before, after }) => (
          <div key={part} className="grid gap-1">
            <dt className="text-xs text-muted">{texts.parts[part]}</dt>
            <dd className="max-h-72 overflow-y-auto wrap-anywhere whitespace-pre-wrap">
              <WordDifference before={before} after={after} />
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

const PARTS = [
  "title",
  "description",
  "inputSchema",
  "outputSchema",
  "annotations",
] as const;

/** The parts of the definition that differ from the approved ones. */
function differencesOf(tool: ChangedTool) {
  return PARTS.map((part) => ({
    part,
    before: tool.isNew ? "" : toText(tool.approved[part]),
    after: toText(tool[part]),
  })).filter(({ before, after }) => before !== after);
}

function toText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** The words that were removed from a text, and those that were added. */
function WordDifference({ before, after }: { before: string; after: string }) {
  const texts = useToolTexts();
  return (
    <bdi>
      {compareWords(before, after).map(({ kind, text }, at) => {
        if (kind === "same") return <span key={at}>{text}</span>;
        const isAdded = kind === "added";
        const Mark = isAdded ? "ins" : "del";
        return (
          <Mark
            key={at}
            className={isAdded ? "bg-mark no-underline" : "text-danger line-through"}
          >
            <span className="sr-only">{isAdded ? texts.added : texts.removed} </span>
            {text}
          </Mark>
        );
      })}
    </bdi>
  );
}
