import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { EMPTY_DRAFT, loadDraft, saveDraft } from "../shell/drafts.ts";
import { Permitted } from "../shell/permitted.tsx";
import { useList } from "../shell/use-list.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Button } from "../ui/button.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { versionsQuery } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";
import { type Answer, useComparison } from "./use-comparison.ts";

const ROUTE = "/app/agents/$id/compare";

/** Two versions of an agent answer the same question side by side. */
export function Comparison() {
  return (
    <Permitted permission="conversation:create">
      <SideBySide />
    </Permitted>
  );
}

function SideBySide() {
  const texts = useAgentTexts();
  const { id } = useParams({ from: ROUTE });
  const list = useList(versionsQuery(id));
  const { answers, isRunning, ask, stop } = useComparison(id);
  const numbers = list.data?.items.map(({ version }) => version) ?? [];
  const [newest = 1] = numbers;
  const { sides, choose } = useSides(id, newest);
  const conversation = answers.find(({ ids }) => ids)?.ids?.conversationId;
  if (list.error) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending) return <Loading className="px-0" />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-muted">{texts.comparisonHint}</p>
      <QuestionForm
        agentId={id}
        isRunning={isRunning}
        conversation={conversation}
        onAsk={(text) => ask(text, sides)}
        onStop={stop}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
        {([0, 1] as const).map((side) => (
          <Side
            key={side}
            label={side === 0 ? texts.left : texts.right}
            numbers={[...new Set([...numbers, sides[side]])]}
            version={sides[side]}
            newest={newest}
            answer={answers[side]}
            onChoose={(version) => void choose(side, version)}
          />
        ))}
      </div>
    </div>
  );
}

/** The versions to compare: those in the address, otherwise the newest two. */
function useSides(id: string, newest: number) {
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate();
  const sides = [search.from ?? Math.max(1, newest - 1), search.to ?? newest] as const;
  const choose = (side: 0 | 1, version: number) =>
    navigate({
      to: "/agents/$id/compare",
      params: { id },
      search:
        side === 0 ? { from: version, to: sides[1] } : { from: sides[0], to: version },
      replace: true,
    });
  return { sides, choose };
}

interface QuestionFormProps {
  agentId: string;
  isRunning: boolean;
  /** The conversation of an answer, to continue it. */
  conversation: string | undefined;
  onAsk: (text: string) => void;
  onStop: () => void;
}

function QuestionForm({
  agentId,
  isRunning,
  conversation,
  onAsk,
  onStop,
}: QuestionFormProps) {
  const texts = useAgentTexts();
  const draft = useQuestion(agentId);
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning && draft.text.trim() !== "") onAsk(draft.text);
      }}
    >
      <TextArea
        label={texts.question}
        value={draft.text}
        rows={2}
        maxLength={100_000}
        required
        dir="auto"
        onChange={(event) => draft.change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <div className="flex flex-wrap items-center gap-3">
        {isRunning ? (
          <Button key="stop" onClick={onStop}>
            {texts.stop}
          </Button>
        ) : (
          <Button key="start" type="submit" look="primary">
            {texts.askBoth}
          </Button>
        )}
        {conversation && !isRunning && (
          <Link
            to="/c/$id"
            params={{ id: conversation }}
            className="inline-flex min-h-8 items-center text-accent underline"
          >
            {texts.goOn}
          </Link>
        )}
      </div>
    </form>
  );
}

interface SideProps {
  label: string;
  numbers: readonly number[];
  version: number;
  newest: number;
  answer: Answer | undefined;
  onChoose: (version: number) => void;
}

function Side({ label, numbers, version, newest, answer, onChoose }: SideProps) {
  const texts = useAgentTexts();
  return (
    <section
      aria-label={texts.version(version)}
      className="grid min-w-0 content-start gap-3 rounded-lg border border-hairline bg-raised p-4"
    >
      <SelectField
        label={label}
        value={version}
        disabled={answer?.isRunning}
        onChange={(event) => onChoose(Number(event.target.value))}
      >
        {numbers.map((number) => (
          <option key={number} value={number}>
            {number === newest
              ? `${texts.version(number)} ${texts.newest}`
              : texts.version(number)}
          </option>
        ))}
      </SelectField>
      <div aria-live="polite" aria-busy={answer?.isRunning} className="grid min-h-24 gap-2">
        {!answer && <p className="text-muted">{texts.answersHere}</p>}
        {answer?.tools.length ? (
          <p className="text-xs text-muted wrap-anywhere">{texts.called(answer.tools)}</p>
        ) : null}
        {answer?.isRunning && answer.text === "" && (
          <p className="animate-late animate-pulse text-muted">{texts.thinking}</p>
        )}
        {answer && <Markdown text={answer.text} isGrowing={answer.isRunning} />}
        {answer?.isWaiting && <p className="text-warn">{texts.waiting}</p>}
        {answer?.error && <Problem error={answer.error} />}
      </div>
    </section>
  );
}

/** The question, kept while it is typed. */
function useQuestion(agentId: string) {
  const id = `compare:${agentId}`;
  const [text, setText] = useState(() => loadDraft(id).text);
  return {
    text,
    change(next: string) {
      saveDraft(id, { ...EMPTY_DRAFT, text: next });
      setText(next);
    },
  };
}
