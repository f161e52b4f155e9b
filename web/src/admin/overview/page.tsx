import { awaitsFirst } from "../../shell/awaits-first.ts";
import { Section } from "../../ui/section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { Glance } from "./glance.tsx";
import { NeedList } from "./need-list.tsx";
import { findNeeds } from "./needs.ts";
import { useOverviewTexts } from "./texts.ts";
import { useOverview } from "./use-overview.ts";

/** How the installation is doing, and what needs an administrator first. */
export function OverviewPage() {
  const texts = useOverviewTexts();
  const { known, queries } = useOverview();
  // what comes later would move what is there
  const isPending = queries.some(awaitsFirst);
  const failed = queries.filter(({ error, data }) => error && data === undefined);
  return (
    <>
      <p className="text-muted">{texts.hint}</p>
      {isPending ? (
        <Loading shape="list" lines={8} />
      ) : (
        <>
          {failed.map(({ error, refetch }, at) => (
            <Problem key={at} error={error} onRetry={() => void refetch()} />
          ))}
          <Section title={texts.needs}>
            <NeedList needs={findNeeds(known)} />
          </Section>
          <Section title={texts.now}>
            <Glance known={known} />
          </Section>
        </>
      )}
    </>
  );
}
