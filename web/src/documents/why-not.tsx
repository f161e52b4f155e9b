import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useState } from "react";
import { formatNumber } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Section } from "../ui/section.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import {
  type Explained,
  explanationQuery,
  namedDocumentsQuery,
  type Question,
  type Result,
} from "./try-queries.ts";
import { useTryTexts } from "./try-texts.ts";

interface WhyNotProps {
  question: Question;
  documentId: string | undefined;
  onShow: (result: Result) => void;
}

/** Whether a chosen document is found by each way of searching, and why not. */
export function WhyNot({ question, documentId, onShow }: WhyNotProps) {
  const texts = useTryTexts();
  return (
    <Section title={texts.why}>
      {documentId === undefined ? (
        <Choice />
      ) : (
        <Explanation question={question} documentId={documentId} onShow={onShow} />
      )}
    </Section>
  );
}

function Choice() {
  const texts = useTryTexts();
  const navigate = useNavigate();
  const search = useSearch({ from: "/app/documents/try" });
  const [name, setName] = useState<string>();
  const { data } = useQuery(namedDocumentsQuery(name ?? ""));
  return (
    <div className="grid max-w-md gap-2">
      <SearchField label={texts.document} value={name} onSearch={setName} />
      {name !== undefined && data?.items.length === 0 && <p>{texts.noDocument}</p>}
      <ul className="divide-y divide-hairline">
        {name !== undefined &&
          data?.items.map(({ id, fileName }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() =>
                  void navigate({ to: "/documents/try", search: { ...search, doc: id } })
                }
                className="min-h-9 w-full truncate text-left hover:underline pointer-coarse:min-h-11"
              >
                <bdi>{fileName}</bdi>
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
}

function Explanation({
  question,
  documentId,
  onShow,
}: WhyNotProps & { documentId: string }) {
  const texts = useTryTexts();
  const search = useSearch({ from: "/app/documents/try" });
  const { data, error, refetch } = useQuery(explanationQuery(question, documentId));
  const { doc: _, ...others } = search;
  return (
    <div className="grid max-w-measure justify-items-start gap-3">
      <p className="flex max-w-full flex-wrap gap-x-3">
        <Link
          to="/documents/d/$id"
          params={{ id: documentId }}
          className="min-w-0 truncate font-medium text-accent underline"
        >
          <bdi>{data?.fileName ?? "…"}</bdi>
        </Link>
        <Link to="/documents/try" search={others} className="text-accent underline">
          {texts.choose}
        </Link>
      </p>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading className="w-full px-0" />}
      {data && <Reasons explained={data} question={question} onShow={onShow} />}
    </div>
  );
}

interface ReasonsProps {
  explained: Explained;
  question: Question;
  onShow: (result: Result) => void;
}

function Reasons({ explained, question, onShow }: ReasonsProps) {
  const texts = useTryTexts();
  const { similarity, matchesWords, passage, engines } = explained;
  return (
    <>
      <dl className="grid w-full gap-2">
        {engines.map(({ engineName, reason, rank }) => (
          <div key={engineName} className="grid gap-x-3 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="flex items-center gap-1.5 font-medium">
              {reason === "found" ? (
                <CircleCheck aria-hidden size={15} className="shrink-0 text-ok" />
              ) : (
                <CircleAlert aria-hidden size={15} className="shrink-0 text-warn" />
              )}
              {texts.engines[engineName].name}
            </dt>
            <dd>{texts.reasons[reason](rank, question.similarityTopK)}</dd>
          </div>
        ))}
      </dl>
      {similarity !== null && (
        <p className="text-muted">
          {texts.nearest(formatNumber(similarity, { maximumFractionDigits: 3 }))}{" "}
          {matchesWords ? texts.words : texts.noWords}
        </p>
      )}
      {passage && <Button onClick={() => onShow(passage)}>{texts.show}</Button>}
    </>
  );
}
