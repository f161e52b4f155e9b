import { z } from "zod";
import { duration } from "../../platform/config/schemas.ts";
import { call, stream } from "../../platform/http/call.ts";
import { defineService } from "../../platform/service.ts";
import { completionContract } from "../completion/contract.ts";
import { admissionContract } from "../core/contract-admission.ts";
import { toolGatewayContract } from "../tool-gateway/contract.ts";
import { agentContract } from "./contract.ts";
import { rememberTools } from "./remember-tools.ts";
import { agentRoutes } from "./routes.ts";

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
    AGENT_RUN_TIMEOUT: duration().default(600_000).describe("How long a run may take, in ms"),
  }),
  needs: ["completion", "tool-gateway"],
  uses: ["core"],
  async create({ config, guard, peer, hasPeer }) {
    const completion = peer("completion");
    const gateway = peer("tool-gateway");
    // served without a conversation core there are no budgets
    const core = hasPeer("core") ? peer("core") : undefined;
    const timeoutMs = config.MCP_SERVICE_TIMEOUT;
    return {
      routes: agentRoutes({
        complete: (body, signal) =>
          stream(
            completion,
            completionContract.complete,
            { body },
            { signal, timeoutMs: config.COMPLETION_SERVICE_TIMEOUT },
          ),
        listTools: rememberTools(
          async (signal) =>
            (await call(gateway, toolGatewayContract.listTools, {}, { signal, timeoutMs })).tools,
        ),
        callTool: (body, signal) =>
          call(gateway, toolGatewayContract.callTool, { body }, { signal, timeoutMs }),
        guard,
        async admit({ userId, clientId, email, roles }, model, signal) {
          const body = { userId, clientId, email, roles: [...roles], model };
          if (core)
            return (await call(core, admissionContract.admitRun, { body }, { signal })).budgets;
          return [];
        },
        runTimeoutMs: config.AGENT_RUN_TIMEOUT,
      }),
    };
  },
});
