import { useQuery } from "@tanstack/react-query";
import { toPlainText } from "../markdown/plain-text.ts";
import type { NothingFound } from "../../../src/services/retrieval/contract-retrieve.ts";
import { formatNumber } from "../texts/format.ts";
import { useNotFound } from "../texts/not-found.ts";
import { usePlace } from "../texts/place.ts";
import { Section } from "../ui/section.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { Warning } from "./warning.tsx";
import { type Engine, type Question, type Result, resultsQuery } from "./try-queries.ts";
import { useTryTexts } from "./try-texts.ts";

interface ResultsProps {
  engine: Engine;
  question: Question;
  onShow: (result: Result) => void;
}

/** What one way of searching finds, the best first. */
export function Results({ engine, question, onShow }: ResultsProps) {
  const texts = useTryTexts();
  const { data, error, refetch } = useQuery(resultsQuery(question, engine));
  const { name, hint } = texts.engines[engine];
  return (
    <Section title={name} hint={hint}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading className="px-0" />}
      {data?.results.length === 0 && <Nothing notFound={data.notFound} onShow={onShow} />}
      {data?.pipeline.warnings.map((warning) => (
        <p key={warning.message} className="text-xs text-warn">
          <Warning warning={warning} />
        </p>
      ))}
      <ol className="grid content-start gap-2">
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
      <ol className="grid content-start gap-2">
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
        "grid w-full gap-1 rounded-md border border-hairline bg-raised px-3 py-2 text-left " +
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
