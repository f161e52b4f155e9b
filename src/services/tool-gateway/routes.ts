import type { Database } from "../../platform/db/database.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { type Ask, Routes } from "../../platform/http/routes.ts";
import { userOf } from "../../platform/http/caller.ts";
import { endsWithin } from "../../platform/within.ts";
import { toolGatewayContract as contract } from "./contract.ts";
import type { Gateway } from "./gateway.ts";
import { type McpEndpoint, refuseSession } from "./mcp-endpoint.ts";
import {
  listClassified,
  listServers,
  listWithheld,
  toClassified,
} from "./list-for-administrators.ts";
import { listOfferedTools } from "./list-offered-tools.ts";
import { offerOfAll, offerOfServer } from "./offer.ts";
import { permittedTools } from "./permitted-tools.ts";
import {
  completeConnection,
  connectAccount,
  type ConnectionsDeps,
  disconnectAccount,
  listConnections,
} from "./sign-in/connections.ts";
import { metadataDocument } from "./sign-in/find-client.ts";
import { mayList } from "./sign-in/may-list.ts";
import { personalData } from "./user-deletion.ts";
import { type ServerTestDeps, testServer } from "./test-server.ts";
import { withVisits } from "./visits.ts";
import { callFromView } from "./views/call-from-view.ts";
import { readView } from "./views/read-view.ts";
import { listViewResources, readViewResource } from "./views/view-resources.ts";
import { fillValues } from "./user-values/fill-values.ts";

/** Limit for a refresh to wait for tool servers. Later answers are listed when they arrive. */
const MAX_REFRESH_WAIT_MS = 3_000;

type AskMcp = Pick<Ask<typeof contract.mcpPost>, "request" | "caller" | "signal">;

interface Deps {
  db: Database;
  gateway: Gateway;
  mcp: McpEndpoint;
  guard: Guard;
  reload: () => Promise<void>;
  tests: Pick<ServerTestDeps, "outgoingOf" | "log">;
  connections: ConnectionsDeps;
}

export function toolGatewayRoutes({
  db,
  gateway,
  mcp,
  guard,
  reload,
  tests: testing,
  connections,
}: Deps): Routes {
  const tests = { ...testing, findServer: (name: string) => gateway.findServer(name) };
  const toMcp = async ({ request, caller, signal }: AskMcp, server?: string) => {
    const tools = permittedTools(guard, caller);
    return {
      request,
      caller: caller.kind === "user" ? caller.userId : caller.kind,
      userId: caller.kind === "user" ? caller.userId : undefined,
      tools,
      offer:
        server === undefined
          ? offerOfAll(gateway)
          : await offerOfServer(gateway, tools, server),
      signal,
    };
  };
  return new Routes()
    .on(contract.personalData, ({ params, query }) =>
      personalData(db, params.userId, query.after),
    )
    .on(contract.listTools, () => ({ tools: gateway.listForModels() }))
    .on(contract.callTool, ({ body: { name, arguments: args, userId }, signal }) => {
      const holder = gateway.list().find((one) => one.name === name)?.server ?? "";
      return withVisits(holder, (questions) =>
        gateway.call(name, args, {
          userId,
          signal,
          // without a user nobody can be sent anywhere
          ...(userId !== undefined && { questions }),
        }),
      );
    })
    .on(contract.listOfferedTools, ({ query, caller }) =>
      listOfferedTools({ gateway, guard }, userOf(caller), query),
    )
    .on(contract.listServers, ({ query }) => listServers({ gateway, connections }, query))
    .on(contract.listWithheld, ({ query }) => listWithheld(gateway, query))
    .on(contract.listClassified, ({ query }) => listClassified(gateway, query))
    .on(
      contract.classifyTool,
      async ({ params: { server, tool }, body: { effect }, caller }) => {
        const setBy = caller.kind === "user" ? caller.userId : caller.kind;
        return toClassified(await gateway.classify(server, tool, { effect, setBy }));
      },
    )
    .on(contract.approveTool, async ({ body }) => {
      await gateway.approve(body.server, body.name, body.fingerprint);
      return { approved: true as const };
    })
    .on(contract.testServer, ({ body, signal }) => testServer(tests, body, signal))
    .on(contract.refresh, async () => {
      const refreshed = reload().then(() => gateway.refresh());
      await endsWithin(MAX_REFRESH_WAIT_MS, refreshed);
      return { servers: gateway.sessions().length };
    })
    .on(contract.listConnections, ({ query, caller }) =>
      listConnections(connections, userOf(caller).userId, query),
    )
    .on(contract.connect, ({ params: { server }, caller, signal }) =>
      connectAccount(
        connections,
        { server, userId: userOf(caller).userId, lists: false },
        signal,
      ),
    )
    .on(contract.connectForAll, ({ params: { server }, caller, signal }) =>
      connectAccount(
        connections,
        { server, userId: userOf(caller).userId, lists: true },
        signal,
      ),
    )
    .on(contract.completeConnection, async ({ body, caller, signal }) => {
      const user = userOf(caller);
      // rights may end between the way there and the way back
      const ending = { userId: user.userId, mayList: await mayList(guard, user) };
      return completeConnection(connections, ending, body, signal);
    })
    .on(contract.fillValues, ({ params: { server }, body, caller }) =>
      fillValues(connections, {
        server,
        userId: userOf(caller).userId,
        values: body.values,
        lists: false,
      }),
    )
    .on(contract.fillValuesForAll, ({ params: { server }, body, caller }) =>
      fillValues(connections, {
        server,
        userId: userOf(caller).userId,
        values: body.values,
        lists: true,
      }),
    )
    .on(contract.disconnect, ({ params: { server }, caller }) =>
      disconnectAccount(connections, { server, userId: userOf(caller).userId }),
    )
    .on(contract.readView, ({ body, caller, signal }) => {
      const { userId } = userOf(caller);
      const asked = { ...body, userId };
      return readView(gateway, permittedTools(guard, caller), asked, signal);
    })
    .on(contract.readViewResource, ({ body, caller, signal }) => {
      const { userId } = userOf(caller);
      const asked = { ...body, userId };
      return readViewResource(gateway, permittedTools(guard, caller), asked, signal);
    })
    .on(contract.listViewResources, ({ body, caller }) =>
      listViewResources(gateway, permittedTools(guard, caller), body),
    )
    .on(contract.callFromView, ({ body, caller, signal }) => {
      const { userId } = userOf(caller);
      const tools = permittedTools(guard, caller);
      return callFromView(gateway, tools, body, { userId, signal });
    })
    .on(contract.clientMetadata, ({ params }) =>
      metadataDocument(connections.own.publicUrl, params.issuer),
    )
    .on(contract.earlierClientMetadata, () => metadataDocument(connections.own.publicUrl))
    .on(contract.mcpPost, async (asked) => mcp.answer(await toMcp(asked)))
    .on(contract.mcpGet, async (asked) => mcp.listen(await toMcp(asked)))
    .on(contract.mcpDelete, refuseDelete)
    .on(contract.mcpServerPost, async (asked) =>
      mcp.answer(await toMcp(asked, asked.params.server)),
    )
    .on(contract.mcpServerGet, async (asked) =>
      mcp.listen(await toMcp(asked, asked.params.server)),
    )
    .on(contract.mcpServerDelete, refuseDelete);
}

function refuseDelete(): Response {
  return refuseSession("a session holds nothing that could be ended.");
}
