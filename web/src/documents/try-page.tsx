import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import {
  ENGINES,
  type NothingFound,
} from "../../../src/services/retrieval/contract-retrieve.ts";
import { usePermission } from "../shell/queries.ts";
import { Button, buttonLook } from "../ui/button.tsx";
import { textOf } from "../ui/form-dialog.tsx";
import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { Passage } from "./passage.tsx";
import {
  modelQuery,
  type Question,
  type Result,
  type Engine,
  resultsQuery,
} from "./try-queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { useTryTexts } from "./try-texts.ts";
import { WhyNot } from "./why-not.tsx";
import { toPlainText } from "../markdown/plain-text.ts";
import { formatNumber } from "../texts/format.ts";
import { useNotFound } from "../texts/not-found.ts";
import { usePlace } from "../texts/place.ts";
import { Section } from "../ui/section.tsx";
import { Warning } from "./warning.tsx";

const MAX_QUESTION_CHARACTERS = 8_000;
const DEFAULTS = { grade: 0.2, count: 10 };

/** Tries a question: what each way of searching finds, and why a document is not found. */
export function TryPage() {
  const texts = useTryTexts();
  const documentTexts = useDocumentTexts();
  const {
    q,
    grade = DEFAULTS.grade,
    count = DEFAULTS.count,
    doc,
  } = useSearch({
    from: "/app/documents/try",
  });
  const [shown, setShown] = useState<Result>();
  const question = q ? { query: q, grade, similarityTopK: count } : undefined;
  return (
    <div className="flex h-full">
      <div className="min-w-0 flex-1">
        <Page
          title={texts.title}
          back={{ to: "/documents", label: documentTexts.all }}
          actions={
            <Link to="/documents/measure" className={buttonLook("quiet")}>
              {texts.measure}
            </Link>
          }
        >
          <div className="grid gap-6">
            <p className="max-w-measure text-muted">{texts.hint}</p>
            <Ask question={question} />
            {!question && (
              <Empty icon={Search} title={texts.empty}>
                {texts.emptyHint}
              </Empty>
            )}
            {question && (
              <>
                <div className="grid items-start gap-6 lg:grid-cols-3">
                  {ENGINES.map((engine) => (
                    <Results
                      key={engine}
                      engine={engine}
                      question={question}
                      onShow={setShown}
                    />
                  ))}
                </div>
                <WhyNot question={question} documentId={doc} onShow={setShown} />
                <ModelLine />
              </>
            )}
          </div>
        </Page>
      </div>
      {shown && <Passage source={toSource(shown)} onClose={() => setShown(undefined)} />}
    </div>
  );
}

function Ask({ question }: { question: Question | undefined }) {
  const texts = useTryTexts();
  const navigate = useNavigate();
  const { doc } = useSearch({ from: "/app/documents/try" });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const q = textOf(fields, "question");
    const [grade, count] = [Number(fields.get("grade")), Number(fields.get("count"))];
    void navigate({
      to: "/documents/try",
      search: { q, grade, count, ...(doc && { doc }) },
    });
  };
  return (
    <form className="flex flex-wrap items-start gap-3" onSubmit={submit}>
      <TextField
        className="min-w-0 flex-1 basis-72"
        label={texts.question}
        name="question"
        type="search"
        defaultValue={question?.query ?? ""}
        maxLength={MAX_QUESTION_CHARACTERS}
        required
      />
      <TextField
        className="w-36"
        label={texts.grade}
        hint={texts.gradeHint}
        name="grade"
        type="number"
        min={0}
        max={1}
        step="any"
        defaultValue={question?.grade ?? DEFAULTS.grade}
        required
      />
      <TextField
        className="w-24"
        label={texts.count}
        hint="5–50"
        name="count"
        type="number"
        min={5}
        max={50}
        defaultValue={question?.similarityTopK ?? DEFAULTS.count}
        required
      />
      <Button type="submit" look="primary" className="mt-6 min-h-9">
        {texts.search}
      </Button>
    </form>
  );
}

/** The model whose vectors are compared. */
function ModelLine() {
  const texts = useTryTexts();
  const isPermitted = usePermission("document:process");
  const { data } = useQuery({ ...modelQuery, enabled: isPermitted });
  if (!data) return null;
  return (
    <p className="text-xs text-muted">
      <bdi>{texts.model(data.model)}</bdi>
    </p>
  );
}

function toSource({ content, metadata }: Result) {
  const { documentId, fileName, pageNumber, place } = metadata;
  return { documentId, fileName, pageNumber, place, content };
}

interface ResultsProps {
  engine: Engine;
  question: Question;
  onShow: (result: Result) => void;
}

/** What one way of searching finds, the best first. */
function Results({ engine, question, onShow }: ResultsProps) {
  const texts = useTryTexts();
  const { data, error, refetch } = useQuery(resultsQuery(question, engine));
  const { name, hint } = texts.engines[engine];
  return (
    <Section title={name} hint={hint}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading shape="list" lines={4} />}
      {data?.results.length === 0 && <Nothing notFound={data.notFound} onShow={onShow} />}
      {data?.pipeline.warnings.map((warning) => (
        <p key={warning.message} className="text-xs text-warn">
          <Warning warning={warning} />
        </p>
      ))}
      <ol className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
        {data?.results.map((result, at) => (
          <li key={result.metadata.chunkId}>
            <Card result={result} rank={at + 1} onShow={() => onShow(result)} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

interface NothingProps {
  notFound: NothingFound | undefined;
  onShow: (result: Result) => void;
}

/** Why nothing was found, and what is nearest. */
function Nothing({ notFound, onShow }: NothingProps) {
  const texts = useTryTexts();
  const sayWhy = useNotFound();
  if (!notFound) return <p>{texts.nothing}</p>;
  const waiting = notFound.waiting.map(({ fileName }) => fileName);
  return (
    <>
      <p>
        {texts.nothing} {sayWhy({ ...notFound, waiting })}
      </p>
      {notFound.nearest.length > 0 && <p className="text-muted">{texts.nearestBelow}</p>}
      <ol className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
        {notFound.nearest.map((result, at) => (
          <li key={result.metadata.chunkId}>
            <Card result={result} rank={at + 1} onShow={() => onShow(result)} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface CardProps {
  result: Result;
  rank: number;
  onShow: () => void;
}

/** A passage with its score; opens it on its page. */
function Card({ result: { score, content, metadata }, rank, onShow }: CardProps) {
  const texts = useTryTexts();
  const placeOf = usePlace();
  const { fileName } = metadata;
  return (
    <button
      type="button"
      onClick={onShow}
      className={
        "grid w-full grid-cols-[minmax(0,1fr)] gap-1 rounded-md border border-hairline bg-raised px-3 py-2 text-left " +
        "hover:bg-hover"
      }
    >
      <span className="sr-only">{texts.result(rank, fileName)}</span>
      <span aria-hidden className="flex items-baseline gap-2">
        <span className="text-accent tabular-nums">{rank}</span>
        <bdi className="min-w-0 truncate font-medium">{fileName}</bdi>
        <bdi className="min-w-0 shrink-2 truncate text-xs text-muted empty:hidden">
          {placeOf(metadata)}
        </bdi>
      </span>
      <span dir="auto" className="line-clamp-3 text-xs text-muted wrap-anywhere">
        {toPlainText(content)}
      </span>
      <span className="flex items-center gap-2 text-xs tabular-nums">
        {texts.score(formatNumber(score, { maximumFractionDigits: 3 }))}
        <span aria-hidden className="h-1 flex-1 rounded-md bg-sunken">
          <span
            className="block h-full rounded-md bg-accent"
            style={{ width: `${Math.min(1, score) * 100}%` }}
          />
        </span>
      </span>
    </button>
  );
}
