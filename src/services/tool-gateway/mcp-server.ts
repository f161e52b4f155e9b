import {
  type CallToolResult,
  type McpRequestContext,
  ResourceNotFoundError,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { uuidv7 } from "uuidv7";
import type { Cancellations } from "./cancel-calls.ts";
import type { ClientAnswers } from "./client-answers.ts";
import { isTask, TASK_METHODS, TASKS } from "./created-task.ts";
import type { Gateway } from "./gateway.ts";
import { findPrompt, offeredTo, resourceFinder } from "./mcp-content.ts";
import { exchange, logLevelOf, passOn, takesTasks } from "./mcp-inputs.ts";
import { capabilitiesOf, sessionIdOf } from "./mcp-session.ts";
import type { McpSubscriptions } from "./mcp-subscriptions.ts";
import { askAboutTask, TaskParams, TaskState } from "./mcp-tasks.ts";
import type { Offer } from "./offer.ts";
import type { PermittedTools } from "./permitted-tools.ts";
import type { Ask } from "./questions.ts";
import type { ContentKind } from "./remote-content.ts";
import type { StateSeal } from "./request-state.ts";
import type { Session } from "./session.ts";
import type { CallOptions } from "./session-requests.ts";
import { sealTask } from "./task-seal.ts";
import { ask, listForClient, toErrorResult } from "./to-client.ts";

const SERVER_INFO = { name: "parlance", version: "1" };

export interface McpServerDeps {
  gateway: Gateway;
  cancellations: Cancellations;
  answers: ClientAnswers;
  subscriptions: McpSubscriptions;
  states: StateSeal;
}

export interface McpRequest {
  request: Request;
  /** Identifies the client, so that nobody cancels the calls of another one. */
  caller: string;
  /** Whose turn a call takes at a busy server; a service has none. */
  userId: string | undefined;
  tools: PermittedTools;
  offer: Offer;
  signal: AbortSignal;
}

/** The gateway as an MCP server for one request. */
export function createMcpServer(
  { gateway, cancellations, answers, subscriptions, states }: McpServerDeps,
  mcp: McpRequest,
  era: McpRequestContext["era"],
): Server {
  const { caller, userId, tools, offer, signal, request } = mcp;
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
  /** Runs work of a request until it is cancelled. */
  const run = async <T>(
    context: ServerContext,
    work: (options: CallOptions) => Promise<T>,
  ): Promise<T> => {
    const { id: requestId, signal: left } = context.mcpReq;
    const stop = new AbortController();
    const session = sessionIdOf(request);
    const key = { caller, session, requestId };
    const unregister = cancellations.register(key, () => {
      stop.abort();
      // a cancelled request gets no answer
      void server.close();
    });
    try {
      const ends = AbortSignal.any([signal, left, stop.signal]);
      const capabilities = capabilitiesOf(session);
      return await work({
        userId,
        signal: ends,
        onNotice: (notice) => passOn(notice, context, era),
        meta: context.mcpReq._meta,
        logLevel: logLevelOf(context, era),
        questions: capabilities && {
          capabilities,
          async ask(question) {
            const id = uuidv7();
            const answer = answers.wait({ caller, session, requestId: id }, ends);
            const message = { jsonrpc: "2.0" as const, id, ...question };
            await server.transport?.send(message, { relatedRequestId: requestId });
            return answer;
          },
        },
      });
    } finally {
      unregister();
    }
  };
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
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name: named, arguments: args = {} } = params;
    return run(context, async (options) => {
      try {
        const name = offer.find(named);
        const all = offer.list();
        await tools.check(name, all);
        const holder = all.find((one) => one.name === name)?.server ?? "";
        const of = { caller, server: holder, target: name };
        const follows = takesTasks(context, era);
        const result = await exchange({ context, era, seal: states, of }, (inputs) =>
          gateway.call(name, args, { ...options, inputs, takesTasks: follows }),
        );
        const isTheirs = isTask(result);
        const task = isTheirs && { server: holder, tool: name, taskId: result.taskId };
        // the result of an MCP server has the same schema
        return (
          task ? { ...result, taskId: sealTask(states, caller, task) } : result
        ) as CallToolResult;
      } catch (error) {
        return toErrorResult(error);
      }
    });
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
