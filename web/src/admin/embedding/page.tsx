import { useQuery } from "@tanstack/react-query";
import { Failure } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import { formatNumber } from "../../texts/format.ts";
import { Progress } from "../../ui/progress.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { embeddingQuery } from "./queries.ts";
import { useEmbeddingTexts } from "./texts.ts";

/** The model by which documents are searched, and the change to another one. */
export function EmbeddingPage() {
  const texts = useEmbeddingTexts();
  const { data, error, refetch } = useQuery(embeddingQuery);
  const failure = data?.next?.failure;
  const problem = useErrorText(failure && new Failure(failure.code, failure.message));
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={6} className="px-0" />;
  const { model, dimensions, provider, local, refused, next } = data;
  return (
    <>
      <Section title={texts.title} hint={texts.hint}>
        <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-muted">{texts.model}</dt>
          <dd>
            <bdi className="font-medium">{model}</bdi>
          </dd>
          <dt className="text-muted">{texts.provider}</dt>
          <dd>
            {provider}
            {local && ` – ${texts.local}`}
          </dd>
          <dt className="text-muted">{texts.dimensions}</dt>
          <dd>{formatNumber(dimensions)}</dd>
        </dl>
        <Refused chunks={refused} />
      </Section>
      <Section
        title={texts.change}
        hint={next ? texts.changing(next.model) : texts.changeHint}
      >
        {next ? (
          <div className="grid max-w-measure gap-1">
            <Progress
              label={texts.changing(next.model)}
              value={next.chunks === 0 ? 1 : (next.embedded + next.refused) / next.chunks}
            />
            <p role="status" className="text-xs text-muted">
              {texts.embedded(formatNumber(next.embedded), formatNumber(next.chunks))}
            </p>
            <Refused chunks={next.refused} />
            {problem && (
              <p role="alert" className="text-xs text-danger">
                {texts.failing} {problem}
              </p>
            )}
          </div>
        ) : (
          <pre
            tabIndex={0}
            className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs"
          >
            {SETTINGS}
          </pre>
        )}
      </Section>
    </>
  );
}

/** How many chunks a model does not take. */
function Refused({ chunks }: { chunks: number }) {
  const texts = useEmbeddingTexts();
  if (chunks === 0) return null;
  return <p className="text-xs text-muted">{texts.refused(formatNumber(chunks))}</p>;
}

/** Documented in docs/embedding.md. */
const SETTINGS = [
  "EMBEDDING_PROVIDER=openai",
  "EMBEDDING_BASE_URL=https://…/v1",
  "EMBEDDING_API_KEY=…",
  "EMBEDDING_MODEL=…",
  "EMBEDDING_DIMENSIONS=1024",
].join("\n");
