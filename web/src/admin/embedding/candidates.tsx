import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useList } from "../../shell/use-list.ts";
import { formatNumber } from "../../texts/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { More } from "../../ui/more.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { ChooseDialog } from "./choose-dialog.tsx";
import { type Candidate, candidatesQuery, keyOf } from "./queries.ts";
import { useEmbeddingTexts } from "./texts.ts";

/** The models to choose from. `refused`: the number of chunks that the model in use refuses. */
export function Candidates({ refused }: { refused: number }) {
  const texts = useEmbeddingTexts();
  const list = useList(candidatesQuery);
  const [tested, setTested] = useState<Candidate>();
  const hint = (
    <>
      {texts.candidatesHint}{" "}
      <Link to="/admin/models" className="text-accent underline">
        {texts.toModels}
      </Link>
    </>
  );
  return (
    <Section title={texts.candidates} hint={hint}>
      {list.isPending && <Loading lines={4} className="px-0" />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((one) => (
          <Row key={keyOf(one)} candidate={one} onTest={() => setTested(one)} />
        ))}
      </ul>
      <More list={list} />
      {tested && (
        <ChooseDialog
          candidate={tested}
          refused={refused}
          onClose={() => setTested(undefined)}
        />
      )}
    </Section>
  );
}

function Row({ candidate, onTest }: { candidate: Candidate; onTest: () => void }) {
  const texts = useEmbeddingTexts();
  const { displayName, model, source, providerName, dimensions, use } = candidate;
  const from = source === "catalogue" ? providerName : texts.sources[source];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-52">
        <p className="truncate font-medium" title={model}>
          <bdi>{displayName}</bdi>
        </p>
        <p className="text-xs wrap-anywhere text-muted">
          <bdi>{from}</bdi>
          {dimensions !== null && ` · ${texts.dimensionCount(formatNumber(dimensions))}`}
        </p>
      </div>
      {use && <Badge look={use === "current" ? "ok" : "plain"}>{texts.uses[use]}</Badge>}
      <Button aria-label={texts.testOf(displayName)} onClick={onTest}>
        {texts.test}
      </Button>
    </li>
  );
}
