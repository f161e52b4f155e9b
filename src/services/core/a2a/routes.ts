import type { AgentCard } from "@a2a-js/sdk";
import type { JsonRpcTransportHandler } from "@a2a-js/sdk/server";
import { pushed } from "../../../platform/batches.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { readJsonText } from "../../../platform/http/read-body.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { encodedEventStream } from "../../../platform/http/stream.ts";
import { once } from "../../../platform/single-flight.ts";
import type { Agent } from "../agents/contract.ts";
import { a2aContract as contract } from "./contract.ts";
import type { TaskDeps } from "./find-task.ts";

interface Deps extends TaskDeps {
  publicUrl: string;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const VERSION = "a2a-version";
/** Clients that name no version are of this one. Source: A2A 1.0, versioning. */
const LEGACY = "0.3";
const CURRENT = "1.0";
const INPUT_MODES = ["text/plain", "application/json", "application/pdf"];

/** Large, and needed by few: loaded when the first client comes. */
const load = once(async () => {
  const [server, legacy, own] = await Promise.all([
    import("@a2a-js/sdk/server"),
    import("@a2a-js/sdk/compat/v0_3/server"),
    import("./conversation-tasks.ts"),
  ]);
  return { ...server, ...legacy, ...own };
});

/** Agents as tasks of other systems' agents, over the conversations of the user who calls. */
export function a2aRoutes(routes: Routes, deps: Deps): void {
  routes
    .on(contract.agentCard, async ({ params, caller, request }) => {
      const agent = await deps.use.findAgent(userOf(caller), params.agentId);
      const address = `${deps.publicUrl}/a2a/${agent.id}`;
      const isCurrent = (request.headers.get(VERSION) ?? CURRENT) === CURRENT;
      return answer(isCurrent ? toCard(agent, address) : toLegacyCard(agent, address));
    })
    .on(contract.agentRpc, async ({ params, caller, request, signal, log }) => {
      const user = userOf(caller);
      const agent = await deps.use.findAgent(user, params.agentId);
      const sdk = await load();
      const card = toCard(agent, `${deps.publicUrl}/a2a/${agent.id}`);
      const requestedVersion = request.headers.get(VERSION) ?? LEGACY;
      const isLegacy = requestedVersion === LEGACY;
      const tasks = new sdk.ConversationTasks(deps, {
        user,
        agentId: agent.id,
        card,
        version: isLegacy ? LEGACY : CURRENT,
        signal,
        log,
      });
      const toError = (error: unknown) => {
        const shown = sdk.toProtocolError(error, log);
        return isLegacy
          ? sdk.LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(shown)
          : sdk.JsonRpcTransportHandler.mapToJSONRPCError(shown);
      };
      const text = await readJsonText(request, { maxBytes: MAX_BODY_BYTES });
      const context = new sdk.ServerCallContext({ requestedVersion });
      try {
        sdk.validateVersion(requestedVersion, card, "JSONRPC");
      } catch (error) {
        return answer({ jsonrpc: "2.0", id: idIn(text), error: toError(error) });
      }
      const handler: Pick<JsonRpcTransportHandler, "handle"> = isLegacy
        ? (new sdk.LegacyJsonRpcTransportHandler(tasks) as never) // it answers in the form of 0.3
        : new sdk.JsonRpcTransportHandler(tasks);
      const said = await handler.handle(text, context);
      if (!(Symbol.asyncIterator in said)) return answer(said);
      const failed = (error: unknown) => ({
        jsonrpc: "2.0",
        id: idIn(text),
        error: toError(error),
      });
      const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
      // what is refused before its first event is no stream
      const events = said[Symbol.asyncIterator]();
      let next: Awaited<ReturnType<typeof events.next>>;
      try {
        next = await events.next();
      } catch (error) {
        return answer(failed(error));
      }
      const frames = pushed<string[]>(async (emit) => {
        try {
          for (; !next.done; next = await events.next()) await emit([frame(next.value)]);
        } catch (error) {
          await emit([frame(failed(error))]);
        }
      });
      return encodedEventStream(frames, (error) => frame(failed(error)));
    });
}

function answer(body: unknown): Response {
  return Response.json(body, { headers: { "cache-control": "no-store" } });
}

function idIn(text: string): unknown {
  try {
    const { id = null } = JSON.parse(text) as { id?: unknown };
    return id;
  } catch {
    return null; // no JSON, and so no id
  }
}

function toCard(agent: Agent, url: string): AgentCard {
  const binding = { url, protocolBinding: "JSONRPC", tenant: "" };
  return {
    name: agent.name,
    description: agent.description || agent.name,
    version: String(agent.version),
    supportedInterfaces: [
      { ...binding, protocolVersion: CURRENT },
      { ...binding, protocolVersion: LEGACY },
    ],
    provider: undefined,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [],
      extendedAgentCard: false,
    },
    securitySchemes: {
      bearer: {
        scheme: {
          $case: "httpAuthSecurityScheme",
          value: { scheme: "Bearer", bearerFormat: "", description: "An API key" },
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: [...INPUT_MODES],
    defaultOutputModes: ["text/plain"],
    skills: [
      {
        id: agent.id,
        name: agent.name,
        description: agent.description || agent.name,
        tags: [],
        examples: [...agent.starters],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    signatures: [],
  };
}

/** Source: A2A 0.3, AgentCard. */
function toLegacyCard({ id, name, description, version, starters }: Agent, url: string) {
  const said = description || name;
  return {
    protocolVersion: "0.3.0",
    name,
    description: said,
    url,
    preferredTransport: "JSONRPC",
    version: String(version),
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: [...INPUT_MODES],
    defaultOutputModes: ["text/plain"],
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    security: [{ bearer: [] }],
    skills: [{ id, name, description: said, tags: [], examples: [...starters] }],
  };
}
