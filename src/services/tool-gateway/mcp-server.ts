import {
  type McpRequestContext,
  ResourceNotFoundError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { callForClient } from "./call-for-client.ts";
import { TASK_METHODS, TASKS } from "./created-task.ts";
import { findPrompt, offeredTo, resourceFinder } from "./mcp-content.ts";
import { exchange } from "./mcp-inputs.ts";
import type { McpRequest, McpServerDeps } from "./mcp-request.ts";
import { createRun } from "./mcp-run.ts";
import { sessionIdOf } from "./mcp-session.ts";
import { askAboutTask, TaskParams, TaskState } from "./mcp-tasks.ts";
import type { Ask } from "./questions.ts";
import type { ContentKind } from "./remote-content.ts";
import type { Session } from "./session.ts";
import type { CallOptions } from "./session-requests.ts";
import { ask, listForClient } from "./to-client.ts";

const SERVER_INFO = { name: "parlance", version: "1" };

/** The gateway as an MCP server for one request. */
export function createMcpServer(
  { gateway, cancellations, answers, subscriptions, states }: McpServerDeps,
  mcp: McpRequest,
  era: McpRequestContext["era"],
): Server {
  const { caller, tools, offer, request } = mcp;
  const server = new Server(SERVER_INFO, {
    capabilities: {
      tools: { listChanged: true },
      // those of the newer era hear of the lists alone
      resources: era === "legacy" ? { subscribe: true } : {},
      prompts: {},
      completions: {},
      logging: {},
      ...(era === "modern" && { extensions: { [TASKS]: {} } }),
    },
  });
  const run = createRun({ cancellations, answers }, mcp, era, ({ mcpReq }) => ({
    async send(question) {
      await server.transport?.send(question, { relatedRequestId: mcpReq.id });
    },
    close: () => void server.close(),
  }));
  /** Sends a request to its server, and what that asks to the client. */
  const forward = (
    context: ServerContext,
    { session: to, target }: { session: Session; target: string },
    request: Ask,
    options: CallOptions,
  ) => {
    const of = { caller, server: to.server.name, target };
    return exchange({ context, era, seal: states, of }, (inputs) =>
      ask(to, request, { ...options, inputs }),
    );
  };
  const offered = <K extends ContentKind>(kind: K) => offeredTo(offer, tools, kind);
  const items = async <K extends ContentKind>(kind: K) =>
    (await offered(kind)).map(({ item }) => item);

  server.setRequestHandler("tools/list", async () => ({
    tools: listForClient(offer, await tools.filter(offer.list())),
  }));
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    return callForClient({ gateway, states }, mcp, { name, args, context, era, run });
  });
  if (era === "modern")
    for (const method of TASK_METHODS)
      server.setRequestHandler(
        method,
        { params: TaskParams, result: TaskState },
        (params, context) =>
          run(context, (options) =>
            askAboutTask({ mcp, states, era }, method, { params, context, options }),
          ),
      );
  server.setRequestHandler("resources/list", async () => ({
    resources: await items("resources"),
  }));
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: await items("templates"),
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
    run(context, async (options) => {
      const holder = (await resourceFinder(offer, tools))(uri);
      if (!holder) throw new ResourceNotFoundError(uri);
      const to = { session: holder.session, target: uri };
      return forward(context, to, { method: "resources/read", params: { uri } }, options);
    }),
  );
  const subscribe = (context: ServerContext, uri: string, isWanted: boolean) =>
    run(context, async (options) => {
      const session = sessionIdOf(request);
      if (session === "") throw sessionNeeded();
      if (isWanted) {
        const holder = (await resourceFinder(offer, tools))(uri);
        if (!holder) throw new ResourceNotFoundError(uri);
        const { capabilities, signIn } = holder.session;
        if (!capabilities?.resources?.subscribe) throw notAnnounced(holder);
        // what changed is said to the account that lists, and may be nobody else's to know
        if (signIn.isPersonal) throw notAnnounced(holder);
        // in the session of everybody, which the streams watch
        const everybody = { userId: undefined, signal: options.signal };
        const asked = { method: "resources/subscribe", params: { uri } };
        await ask(holder.session, asked, everybody);
      }
      await subscriptions.change({ caller, session }, { uri, isWanted });
      return {};
    });
  if (era === "legacy") {
    server.setRequestHandler("resources/subscribe", ({ params }, context) =>
      subscribe(context, params.uri, true),
    );
    server.setRequestHandler("resources/unsubscribe", ({ params }, context) =>
      subscribe(context, params.uri, false),
    );
  }
  server.setRequestHandler("prompts/list", async () => ({
    prompts: await items("prompts"),
  }));
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    run(context, async (options) => {
      const { session, name } = findPrompt(await offered("prompts"), params.name);
      const request = { method: "prompts/get", params: { ...params, name } };
      return forward(context, { session, target: name }, request, options);
    }),
  );
  server.setRequestHandler("completion/complete", ({ params }, context) =>
    run(context, async (options) => {
      const { ref } = params;
      if (ref.type === "ref/prompt") {
        const { session, name } = findPrompt(await offered("prompts"), ref.name);
        const asked = { ...params, ref: { ...ref, name } };
        return ask(session, { method: "completion/complete", params: asked }, options);
      }
      const holder = (await offered("templates")).find(
        ({ item }) => item.uriTemplate === ref.uri,
      );
      if (!holder) throw new ResourceNotFoundError(ref.uri);
      return ask(holder.session, { method: "completion/complete", params }, options);
    }),
  );
  return server;
}

function sessionNeeded(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidRequest,
    "Send the Mcp-Session-Id that initialize answered with: changes come in its stream, by GET.",
  );
}

function notAnnounced({ session: { server } }: { session: Session }): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.MethodNotFound,
    `"${server.name}" does not announce changes of its resources. Read the resource again.`,
  );
}
