import { useQuery } from "@tanstack/react-query";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { PageText } from "./page-text.tsx";
import type { PassageSource } from "./passage-head.tsx";
import { partTextQuery } from "./queries.ts";

interface PartTextProps {
  source: PassageSource;
  /** The sentence of the answer that cites it. */
  said: string | undefined;
  /** Another part than the one that is cited. */
  part?: number;
}

/** The text of a page, sheet or chapter, or the kept words where it cannot be read any more. */
export function PartText({ source, said, part }: PartTextProps) {
  const { documentId, pageNumber, place, content } = source;
  const cited = place?.part ?? pageNumber;
  const { data, error, refetch, isPending } = useQuery(
    partTextQuery(documentId, part ?? cited),
  );
  return (
    <>
      {isPending && <Loading lines={8} className="px-0" />}
      <div
        className={
          "rounded-sm bg-raised p-6 shadow-2 empty:hidden max-lg:bg-transparent " +
          "max-lg:p-0 max-lg:shadow-none"
        }
      >
        {error && (
          <div className="grid gap-4">
            <blockquote
              dir="auto"
              className="border-l-2 border-accent pl-3 whitespace-pre-wrap"
            >
              {content}
            </blockquote>
            <Problem error={error} onRetry={() => void refetch()} />
          </div>
        )}
        {data !== undefined && <PageText text={data} passage={content} said={said} />}
      </div>
    </>
  );
}
