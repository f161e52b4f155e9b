import { shortenText } from "../../../../platform/shorten-text.ts";
import { z } from "zod";
import { BadRequest, NotFound } from "../../../../platform/http/errors.ts";
import { isUuid } from "../../../../platform/uuid.ts";
import { retryUntilSettled } from "../../accounts/settle.ts";
import type { FlowHead, ProviderFlows } from "../provider.ts";
import type { AskLangflow } from "./client.ts";
import { read } from "./users.ts";

const Flow = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullish(),
  updated_at: z.string().nullish(),
  is_component: z.boolean().nullish(),
});
const WholeFlow = Flow.extend({ data: z.unknown() });

/** Source: `langflow/api/v1/flows.py` at 1.10.1. */
export function flowsOf(ask: AskLangflow): Pick<ProviderFlows, "list" | "create" | "get"> {
  const get: ProviderFlows["get"] = async (key, flowId, signal) => {
    const answer = await ask(
      { method: "GET", path: `/api/v1/flows/${checkedId(flowId)}`, as: { key } },
      signal,
    );
    if (answer.status === 404) throw flowNotFound();
    const flow = read(WholeFlow, 200, answer);
    return { ...headOf(flow), data: flow.data };
  };

  return {
    get,
    async list(key, signal) {
      // lists only headers, but of all flows: the pages list a single folder
      const path =
        "/api/v1/flows/?get_all=true&header_flows=true&remove_example_flows=true";
      const flows = read(
        z.array(Flow),
        200,
        await ask({ method: "GET", path, as: { key } }, signal),
      );
      return flows.filter((flow) => flow.is_component !== true).map(headOf);
    },

    async create(key, { name, description, data }, signal) {
      const json = { name, description, data, access_type: "PRIVATE" };
      const answer = await ask(
        { method: "POST", path: "/api/v1/flows/", as: { key }, json },
        signal,
      );
      if (answer.status === 400 || answer.status === 422)
        throw new BadRequest(
          "flow_invalid",
          "The flow provider does not take this flow. Send nodes and edges as it exports them.",
        );
      const flow = headOf(read(Flow, 201, answer));
      // the flow can be run as soon as its id is returned
      await retryUntilSettled(
        () => get(key, flow.id, signal),
        (error) => error instanceof NotFound,
        signal,
      );
      return flow;
    },
  };
}

/** Only an id may be part of a path. @throws NotFound `flow_not_found`. */
export function checkedId(flowId: string): string {
  if (!isUuid(flowId)) throw flowNotFound();
  return flowId;
}

export function flowNotFound(): NotFound {
  return new NotFound(
    "flow_not_found",
    "There is no such flow that this user may run. GET /api/v1/flowengine/flows lists " +
      "those.",
  );
}

function headOf({
  id,
  name,
  description,
  updated_at: updated,
}: z.output<typeof Flow>): FlowHead {
  const at = updated
    ? Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(updated) ? updated : `${updated}Z`)
    : Number.NaN;
  return {
    id,
    name: shortenText(name, 300),
    description: description ?? "",
    updatedAt: Number.isNaN(at) ? null : new Date(at).toISOString(),
  };
}
