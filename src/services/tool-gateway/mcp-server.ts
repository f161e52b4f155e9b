import {
  type CallToolResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { uuidv7 } from "uuidv7";
import { z } from "zod";
import { ApiError } from "../../platform/http/errors.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import type { Cancellations } from "./cancel-calls.ts";
import type { ClientAnswers } from "./client-answers.ts";
import type { ListedTool } from "./contract.ts";
import type { Gateway } from "./gateway.ts";
import { exchange, logLevelOf, passOn, takesTasks } from "./mcp-inputs.ts";
import { capabilitiesOf, sessionIdOf } from "./mcp-session.ts";
import type { McpSubscriptions } from "./mcp-subscriptions.ts";
import type { PermittedTools } from "./permitted-tools.ts";
import {
  type ContentKind,
  fitsTemplate,
  type Offered,
  type Prompt,
} from "./remote-content.ts";
import type { StateSeal } from "./request-state.ts";
import { MISSING_CAPABILITY, RemoteError } from "./remote-error.ts";
import { openTask, sealTask } from "./task-seal.ts";
import { isTask, MAX_TASK_ID_CHARACTERS, TASK_METHODS, TASKS } from "./created-task.ts";
import type { CallOptions, Session } from "./session.ts";
import type { Ask } from "./questions.ts";

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
  signal: AbortSignal;
}

/** The gateway as an MCP server for one request. */
export function createMcpServer(
  { gateway, cancellations, answers, subscriptions, states }: McpServerDeps,
  mcp: McpRequest,
  era: McpRequestContext["era"],
): Server {
  const { caller, userId, tools, signal, request } = mcp;
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
  const offered = <K extends ContentKind>(kind: K) => offeredTo(gateway, tools, kind);
  const items = async <K extends ContentKind>(kind: K) =>
    (await offered(kind)).map(({ item }) => item);

  server.setRequestHandler("tools/list", async () => ({
    tools: withExtras(gateway, await tools.filter(gateway.list())),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    return run(context, async (options) => {
      try {
        const all = gateway.list();
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
  const aboutTask = (
    method: (typeof TASK_METHODS)[number],
    { taskId: named, ...more }: z.output<typeof TaskParams>,
    context: ServerContext,
  ) =>
    run(context, async (options) => {
      if (!takesTasks(context, era)) throw tasksNotDeclared();
      const { server: holder, tool, taskId } = openTask(states, caller, named);
      const session = gateway.session(holder);
      if (!session) throw taskGone(holder);
      try {
        await tools.check(tool, gateway.list());
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
      }
      // the SDK takes the answers out of the params
      const { inputResponses } = context.mcpReq;
      const answers = inputResponses && { inputResponses };
      const asked: Ask = { method, params: { ...more, ...answers, taskId } };
      const state: Record<string, unknown> = await ask(session, asked, options);
      return "taskId" in state ? { ...state, taskId: named } : state;
    });
  if (era === "modern")
    for (const method of TASK_METHODS)
      server.setRequestHandler(
        method,
        { params: TaskParams, result: TaskState },
        (params, context) => aboutTask(method, params, context),
      );
  server.setRequestHandler("resources/list", async () => ({
    resources: await items("resources"),
  }));
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: await items("templates"),
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
    run(context, async (options) => {
      const holder = (await resourceFinder(gateway, tools))(uri);
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
        const holder = (await resourceFinder(gateway, tools))(uri);
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

/** What the servers offer whose resources and prompts the caller may read. */
async function offeredTo<K extends ContentKind>(
  gateway: Gateway,
  tools: PermittedTools,
  kind: K,
) {
  const readable = await tools.servers(gateway.list());
  return gateway.content(kind, (name) => readable(name));
}

/**
 * Finds the server that has a resource, or a template of its address, for a caller who may read it.
 * What may be read is asked once for all addresses.
 */
export async function resourceFinder(
  gateway: Gateway,
  tools: PermittedTools,
): Promise<(uri: string) => { session: Session } | undefined> {
  const [resources, templates, readable] = await Promise.all([
    offeredTo(gateway, tools, "resources"),
    offeredTo(gateway, tools, "templates"),
    tools.servers(gateway.list()),
  ]);
  return (uri) =>
    resources.find(({ item }) => item.uri === uri) ??
    templates.find(({ item }) => fitsTemplate(item.uriTemplate, uri)) ??
    (uri.startsWith(UI) ? viewOf(gateway, readable, uri) : undefined);
}

/** Source: Model Context Protocol, Tasks extension. */
const TaskParams = z.looseObject({
  taskId: z
    .string()
    .min(1)
    .max(4 * MAX_TASK_ID_CHARACTERS),
});
const TaskState = z.looseObject({});

function tasksNotDeclared(): ProtocolError {
  return new ProtocolError(
    MISSING_CAPABILITY,
    "Declare the extension for tasks in the capabilities of this request.",
    { requiredCapabilities: { extensions: { [TASKS]: {} } } },
  );
}

function taskGone(server: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The tool server "${server}" of this task is here no more. Call another tool.`,
  );
}

const UI = "ui://";

/** The server of a tool that shows its results in this view, which no list has to name. */
function viewOf(gateway: Gateway, isReadable: (server: string) => boolean, uri: string) {
  return gateway.entries().find(({ listed, tool }) => {
    const ui = tool.extras?._meta?.["ui"];
    const view = isRecord(ui) ? ui["resourceUri"] : tool.extras?._meta?.["ui/resourceUri"];
    return view === uri && isReadable(listed.server);
  });
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

/** Sends a request on to its server, and returns what it answers. @throws ProtocolError. */
async function ask(session: Session, request: Ask, options: CallOptions): Promise<never> {
  try {
    const result = await session.ask(request, options);
    // what one client may read is not for others
    const isKept = isRecord(result) && "cacheScope" in result;
    // the server's answer has the schema of its method, which the SDK checks
    return (isKept ? { ...result, cacheScope: "private" } : result) as never;
  } catch (error) {
    if (error instanceof RemoteError) throw toProtocolError(error);
    if (error instanceof ApiError)
      throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
    throw error;
  }
}

function toProtocolError({ code, message, data }: RemoteError): ProtocolError {
  return new ProtocolError(code, message, data);
}

/** @throws ProtocolError for a name that nobody offers. */
function findPrompt(prompts: readonly Offered<Prompt>[], name: string) {
  const found = prompts.find(({ item }) => item.name === name);
  if (found) return { session: found.session, name: found.theirName };
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no prompt "${name}". prompts/list names those that there are.`,
  );
}

/**
 * What went wrong, for the model to handle.
 * @throws ProtocolError for a tool that the caller may not run, which no model can mend.
 */
function toErrorResult(error: unknown): CallToolResult {
  if (error instanceof RemoteError) throw toProtocolError(error);
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 403)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  return { content: [{ type: "text", text: error.message }], isError: true };
}

/** Tools with what their servers say of them to clients alone. */
function withExtras(gateway: Gateway, tools: readonly ListedTool[]) {
  const extras = new Map(
    gateway.entries().map(({ listed, tool }) => [listed.name, tool.extras]),
  );
  // `_meta` is JSON, of any form
  return tools.map((tool) => ({ ...toMcpTool(tool), ...extras.get(tool.name) }) as never);
}

/** A tool as its server describes it, with the effect that an administrator set. */
function toMcpTool(listed: ListedTool) {
  const { name, title, description, inputSchema, outputSchema, annotations } = listed;
  const hints = listed.effectBy === "administrator" && {
    readOnlyHint: listed.effect === "read_only",
    destructiveHint: listed.effect === "destructive",
  };
  return {
    name,
    description,
    inputSchema: { type: "object" as const, ...inputSchema },
    ...(title && { title }),
    ...((annotations || hints) && { annotations: { ...annotations, ...hints } }),
    ...(outputSchema && { outputSchema: { type: "object" as const, ...outputSchema } }),
  };
}
