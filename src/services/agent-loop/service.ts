import { z } from "zod";
import { duration } from "../../platform/config/schemas.ts";
import { call, stream } from "../../platform/http/call.ts";
import { defineService } from "../../platform/service.ts";
import { completionContract } from "../completion/contract.ts";
import { admissionContract } from "../core/contract-admission.ts";
import { toolGatewayContract } from "../tool-gateway/contract.ts";
import { agentContract } from "./contract.ts";
import { narrowTools } from "./find-tools.ts";
import { rememberTools } from "./remember-tools.ts";
import { agentRoutes } from "./routes.ts";
import { openToolbox } from "./toolbox.ts";

export default defineService({
  name: "agent",
  port: 4000,
  contract: agentContract,
  config: z.object({
    COMPLETION_SERVICE_TIMEOUT: duration()
      .default(60_000)
      .describe("How long the completion service may be silent, in ms"),
    MCP_SERVICE_TIMEOUT: duration()
      .default(60_000)
      .describe("How long a call of the tool gateway may take, in ms"),
    AGENT_RUN_TIMEOUT: duration()
      .default(600_000)
      .describe("How long a run may take, in ms"),
    AGENT_MAX_TOOLS: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, "must be a whole number from 1 to 999")
      .transform(Number)
      .default(40)
      .describe(
        "A run with more tools sends the model one that finds them instead of all of them",
      ),
  }),
  needs: ["completion", "tool-gateway"],
  uses: ["core"],
  async create({ config, guard, peer, hasPeer }) {
    const completion = peer("completion");
    const gateway = peer("tool-gateway");
    // without core there are no budgets and no platform tools
    const core = hasPeer("core") ? peer("core") : undefined;
    const gatewayTimeoutMs = config.MCP_SERVICE_TIMEOUT;
    const completionTimeoutMs = config.COMPLETION_SERVICE_TIMEOUT;
    const runTimeoutMs = config.AGENT_RUN_TIMEOUT;
    const listTools = rememberTools(async (signal) => {
      const options = { signal, timeoutMs: gatewayTimeoutMs };
      const { tools } = await call(gateway, toolGatewayContract.listTools, {}, options);
      return tools;
    });
    const toolboxDeps = { gateway, listTools, core, gatewayTimeoutMs, runTimeoutMs };
    return {
      routes: agentRoutes({
        complete(body, signal) {
          const options = { signal, timeoutMs: completionTimeoutMs };
          return stream(completion, completionContract.complete, { body }, options);
        },
        async openToolbox(request, signal) {
          const toolbox = await openToolbox(toolboxDeps, request, signal);
          return narrowTools(toolbox, request, config.AGENT_MAX_TOOLS);
        },
        async admit({ userId, clientId, email, roles }, model, signal) {
          if (!core) return { budgets: [] };
          const asked = { userId, clientId, email, roles: [...roles], model };
          const body = { ...asked, mayReplace: true };
          return call(core, admissionContract.admitRun, { body }, { signal });
        },
        guard,
        runTimeoutMs,
      }),
    };
  },
});
