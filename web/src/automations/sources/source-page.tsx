import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { BackLink } from "../../ui/back-link.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { Cause } from "../runs/state.tsx";
import { Items } from "./items.tsx";
import { sourceQuery } from "./queries.ts";
import { SourceForm } from "./source-form.tsx";
import { useSourceTexts } from "./texts.ts";
import { Webhook } from "./webhook.tsx";

/** `/automations/sources/$id`: what a source watches, and what became of what it found. */
export function SourcePage() {
  const texts = useSourceTexts();
  const { id = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(sourceQuery(id));
  return (
    <Page title={data?.name ?? texts.back}>
      <div className="mx-auto grid max-w-4xl grid-cols-1 gap-8">
        <BackLink to="/automations/sources" label={texts.back} />
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Loading />}
        {data && (
          <>
            <Cause error={data.error} />
            {data.kind === "webhook" && <Webhook id={data.id} url={data.url} />}
            <SourceForm key={data.id} source={data} />
            {data.kind !== "webhook" && <Items sourceId={data.id} />}
          </>
        )}
      </div>
    </Page>
  );
}
