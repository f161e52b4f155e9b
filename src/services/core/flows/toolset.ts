import { createHash } from "node:crypto";
import { z } from "zod";
import { shortenText } from "../../../platform/shorten-text.ts";
import { BadGateway } from "../../../platform/http/errors.ts";
import type { Flow } from "../../integrations/contract-flows.ts";
import type { ListedTool } from "../../tool-gateway/contract.ts";
import {
  defineToolset,
  type OfferDeps,
  toEffect,
  type ToolDeps,
  type ToolOutput,
} from "../tools/toolset.ts";
import type { ToolSession } from "../tools/tool-sessions.ts";
import { type FlowBatch, flowsUnavailable } from "./flows.ts";

/** Takes the place of the name of a tool server. */
const SERVER = "flows";
const MAX_RESULT_CHARACTERS = 100_000;
const MAX_DESCRIPTION_CHARACTERS = 2_000;
/** Flows that one reply may use as tools. */
export const MAX_FLOW_TOOLS = 32;
const TOOL_NAME = /^flow_([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

const Input = z.object({
  input: z.string().max(400_000).describe("What to give the flow, in words"),
});

/** A flow does not describe what it does. */
const EFFECTS = { readOnly: false, idempotent: false, destructive: true, openWorld: true };

/** The flows that a run names as `flow_` and the id of the flow. */
export const flowsToolset = defineToolset({
  name: "flows",
  title: "Flows",
  description: "Runs flows and gives their answers.",
  permission: "flow:run",
  tools: [],
  records: {
    owns: (name) => TOOL_NAME.test(name),
    list: listFlowTools,
    run: callFlow,
  },
  lacks: async ({ flows }) => (flows ? undefined : flowsUnavailable()),
});

/** Returns the id of the flow that a tool of this name runs. */
export function flowOfTool(name: string): string | undefined {
  return TOOL_NAME.exec(name)?.[1];
}

/**
 * Returns the flows of these names as tools. Leaves out a flow that the user may not run or that
 * cannot be looked up now.
 */
async function listFlowTools(
  { flows }: OfferDeps,
  names: readonly string[],
  userId: string,
  signal: AbortSignal,
): Promise<ListedTool[]> {
  if (!flows) return [];
  const ids = names.flatMap((name) => flowOfTool(name) ?? []).slice(0, MAX_FLOW_TOOLS);
  const found = await Promise.allSettled(ids.map((id) => flows.find(id, userId, signal)));
  return found.flatMap((flow, at) =>
    flow.status === "fulfilled" ? [toListed(`flow_${ids[at]}`, flow.value)] : [],
  );
}

/** @throws ZodError for arguments that do not fit, ApiError of the flow. */
async function callFlow(
  { flows }: Pick<ToolDeps, "flows">,
  { userId, flowSession }: ToolSession,
  name: string,
  values: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (!flows) throw flowsUnavailable();
  const { input } = Input.parse(values);
  const flowId = flowOfTool(name) ?? "";
  const request = { userId, sessionId: flowSession, input };
  return { content: await readResult(flows.run(flowId, request, signal)) };
}

function toListed(name: string, flow: Omit<Flow, "owned">): ListedTool {
  const description = `Runs the flow "${flow.name}" and gives its answer. ${flow.description}`;
  return {
    name,
    description: shortenText(description.trim(), MAX_DESCRIPTION_CHARACTERS),
    inputSchema: z.toJSONSchema(Input),
    ...toEffect(EFFECTS),
    server: SERVER,
    fingerprint: fingerprintOf(flow),
  };
}

/** A changed flow has another fingerprint, so that a user who allowed its calls is asked again. */
function fingerprintOf({ name, description, updatedAt }: Omit<Flow, "owned">): string {
  return createHash("sha256")
    .update(JSON.stringify([name, description, updatedAt]))
    .digest("hex");
}

/** Converts a flow's answer to text for a model. */
async function readResult(batches: AsyncIterable<FlowBatch>): Promise<string> {
  for await (const batch of batches)
    for (const event of batch)
      if (event.type === "done")
        return shortenText(
          event.output || JSON.stringify(event.outputs),
          MAX_RESULT_CHARACTERS,
        );
  throw new BadGateway("flow_cut", "The flow ended in the middle of a run. Run it again.");
}
