import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Permitted } from "../shell/permitted.tsx";
import { BackLink } from "../ui/back-link.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { flowQuery } from "./queries.ts";
import { RunForm } from "./run-form.tsx";
import { useFlowTexts } from "./texts.ts";

/** `/flows/$id`: runs a flow, and shows what it puts out while it comes. */
export function FlowPage() {
  const texts = useFlowTexts();
  const { id = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(flowQuery(id));
  return (
    <Frame title={data?.name ?? texts.back}>
      <BackLink to="/flows" label={texts.back} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.description && (
        <p className="max-w-measure text-muted wrap-anywhere">
          <bdi>{data.description}</bdi>
        </p>
      )}
      {data && (
        <Permitted permission="flow:run">
          <RunForm key={data.id} flowId={data.id} />
        </Permitted>
      )}
    </Frame>
  );
}
