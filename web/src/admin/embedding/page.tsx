import { useQuery } from "@tanstack/react-query";
import { formatNumber } from "../../texts/format.ts";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { Candidates } from "./candidates.tsx";
import { Change } from "./change.tsx";
import { embeddingQuery } from "./queries.ts";
import { Refused } from "./refused.tsx";
import { useEmbeddingTexts } from "./texts.ts";

/** The model by which documents are searched, and the change to another one. */
export function EmbeddingPage() {
  const texts = useEmbeddingTexts();
  const { data, error, refetch } = useQuery(embeddingQuery);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={6} className="px-0" />;
  const { model, dimensions, provider, local, reachable, refused, next } = data;
  return (
    <>
      <Section title={texts.title} hint={texts.hint}>
        <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-muted">{texts.model}</dt>
          <dd className="min-w-0 wrap-anywhere">
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
        {!reachable && (
          <p role="alert" className="text-danger">
            {texts.unreachable}
          </p>
        )}
        <Refused chunks={refused} />
      </Section>
      {next && <Change next={next} />}
      <Candidates refused={refused} />
    </>
  );
}
