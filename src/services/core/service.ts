import { days, duration, jsonOf, maximum } from "../../platform/config/schemas.ts";
import { Routes } from "../../platform/http/routes.ts";
import { defineService } from "../../platform/service.ts";
import { TRANSACTIONS_QUEUE } from "../completion/contract.ts";
import {
  providerEnvironment,
  providersFromEnvironment,
} from "../completion/contract-environment.ts";
import { ToolServers } from "../tool-gateway/contract.ts";
import { answeringAgent } from "./agents/answering-agent.ts";
import { MAX_AGENTS, MAX_FOLDERS } from "./agents/manage-folders.ts";
import { agentRoutes } from "./agents/routes.ts";
import { seedSystemAgents } from "./agents/system-agents.ts";
import { canvasTools } from "./canvas/tools.ts";
import { canvasRoutes } from "./canvas/routes.ts";
import { inspectProviders } from "./catalogue/inspect-providers.ts";
import { createModelChooser } from "./catalogue/choose-model.ts";
import { catalogueRoutes } from "./catalogue/routes.ts";
import { servicesConfigRoutes } from "./services-config/routes.ts";
import { listSelections, seedCatalogue } from "./catalogue/store.ts";
import { seedToolServers } from "./services-config/tool-servers.ts";
import { userDeletionQueue } from "../users/contract-user-deletion.ts";
import { coreContract } from "./contract.ts";
import { personalData, userDeletions } from "./user-deletion.ts";
import { allowedToolsOf } from "./approvals/allowed-tools.ts";
import { approvalRoutes } from "./approvals/routes.ts";
import { conversationRoutes } from "./conversations/routes.ts";
import { createAttachments } from "./conversations/attachments.ts";
import { condenseHistory, isLong } from "./conversations/condense-history.ts";
import { makeTitle, runModel, summarise } from "./conversations/run-model.ts";
import { createRegistrar } from "./conversations/register-new.ts";
import { createReplyWriter } from "./conversations/reply-writer.ts";
import { MAX_REPLIES } from "./conversations/begin-reply.ts";
import { runReplies } from "./conversations/running-replies.ts";
import { openAiRoutes } from "./openai-api/routes.ts";
import { conversionRoutes } from "./conversions/routes.ts";
import { coreJobs } from "./jobs.ts";
import { createFlowCheck } from "./flows/check-flows.ts";
import { createFlows } from "./flows/flows.ts";
import { threadFiles } from "./flows/thread-files.ts";
import { limitExports } from "./limit-exports.ts";
import { permittedUse } from "./permitted-use.ts";
import { createSharing } from "./sharing.ts";
import { createAnswering } from "./sources/answer.ts";
import { passageFinder } from "./sources/find-passages.ts";
import { seedTemplates } from "./templates/built-in.ts";
import { templateRoutes } from "./templates/routes.ts";
import { createBudgets } from "./usage/budgets.ts";
import { usageRoutes } from "./usage/routes.ts";
import { transactionStore } from "./usage/transactions.ts";

/** Many come, and nobody waits for one: they are stored together. */
const USAGE_RECORDS = { prefetch: 500, gatherMs: 50 };

export default defineService({
  name: "core",
  port: 4000,
  contract: coreContract,
  config: providerEnvironment.extend({
    MCP_SERVERS: jsonOf(ToolServers)
      .default([])
      .describe("Tool servers to register at first start, as a JSON array [{name, url, headers?}]"),
    TRASH_RETENTION: days(30).describe(
      "How long deleted conversations and agents can be restored, in days",
    ),
    MODEL_LIST_REFRESH: duration()
      .default(300_000)
      .describe("How often providers that list their models themselves are asked again, in ms"),
    AGENTS_PER_USER: maximum(MAX_AGENTS, MAX_AGENTS).describe("Agents that one user may have"),
    AGENT_FOLDERS_PER_USER: maximum(MAX_FOLDERS, MAX_FOLDERS).describe(
      "Folders of agents that one user may have",
    ),
    CANVASES_PER_USER: maximum(10_000).describe("Canvases that one user may have"),
    CONVERSIONS_PER_USER: maximum(10_000).describe("Conversions that one user may keep"),
    TAGS_PER_USER: maximum(1_000).describe("Tags of conversations that one user may have"),
    CORE_REPLY_TIMEOUT: duration()
      .default(120_000)
      .describe("How long the agent or completion service may be silent, in ms"),
  }),
  migrations: new URL("./migrations/", import.meta.url),
  queue: true,
  needs: ["agent", "completion", "users"],
  uses: ["documents", "retrieval", "integrations"],
  encrypts: true,
  async create(context) {
    const { config, db, cache, guard, log, outgoing, secrets, peer, hasPeer, signal } = context;
    const { workers } = context;
    const exports = limitExports();
    const maxCanvases = config.CANVASES_PER_USER;
    const encryptionKey = secrets.ENCRYPTION_KEY;
    await seedCatalogue(db, providersFromEnvironment(config), encryptionKey);
    await seedToolServers(db, config.MCP_SERVERS, encryptionKey);

    const needs = {
      agent: peer("agent"),
      completion: peer("completion"),
      timeoutMs: config.CORE_REPLY_TIMEOUT,
    };
    const sharing = createSharing(peer("users"));
    const hasRetrieval = hasPeer("documents") && hasPeer("retrieval");
    const attachments = createAttachments(
      hasPeer("documents") ? peer("documents") : undefined,
      hasRetrieval,
    );
    const find = hasRetrieval ? passageFinder(peer("documents"), peer("retrieval")) : undefined;
    const flows = hasPeer("integrations")
      ? createFlows(peer("integrations"), config.CORE_REPLY_TIMEOUT)
      : undefined;
    const answer = createAnswering({
      find,
      flows,
      run: (request, stop) => runModel(needs, request, stop),
      allowedTools: (userId) => allowedToolsOf(db, userId),
    });
    const writer = createReplyWriter(db, MAX_REPLIES);
    const replies = await runReplies(
      {
        writer,
        cache,
        log,
        run: (
          request,
          {
            userId,
            conversationId,
            messageId,
            request: { retrieval, contextWindow, flow },
            before,
          },
          stop,
        ) => {
          const tools = canvasTools({ db, sharing, workers, maxCanvases }, userId, conversationId);
          const files = async () => attachments.visible(userId, await threadFiles(db, messageId));
          const by = flow && { ...flow, sessionId: conversationId, files };
          return answer(
            {
              request,
              plan: retrieval,
              flow: by,
              userId,
              contextWindow,
              known: before?.sources,
              tools,
            },
            stop,
          );
        },
        expand: attachments.expand,
        makeTitle: (content, context, stop) => makeTitle(needs.completion, content, context, stop),
        async condense(
          { messageId, messages, conversationId, userId, request: { model, contextWindow } },
          reply,
          stop,
        ) {
          if (!isLong([...messages, ...reply], contextWindow)) return;
          await condenseHistory(db, { messageId, contextWindow }, (text) =>
            summarise(needs.completion, text, { userId, conversationId, model }, stop),
          );
        },
      },
      signal,
    );
    const models = await createModelChooser(db, cache);
    await seedSystemAgents(db);
    await seedTemplates(db);
    const budgets = await createBudgets({ db, cache, membersOf: sharing.membersOf });

    const routes = new Routes();
    agentRoutes(routes, {
      db,
      maxAgents: config.AGENTS_PER_USER,
      maxFolders: config.AGENT_FOLDERS_PER_USER,
      sharing,
      checkDocuments: attachments.checkVisible,
      checkFlows: createFlowCheck(hasPeer("integrations") ? peer("integrations") : undefined),
      describeDocuments: attachments.describe,
    });
    const use = permittedUse({
      guard,
      models,
      findAgent: (user, id) => answeringAgent({ db, sharing, hasRetrieval, flows }, user, id),
    });
    const register = createRegistrar({ db, sharing });
    const answering = { use, budgets, attachments };
    conversationRoutes(routes, {
      db,
      maxTags: config.TAGS_PER_USER,
      writer,
      register,
      cache,
      log,
      sharing,
      exports,
      replies,
      ...answering,
    });
    approvalRoutes(routes, { db, sharing, replies, use });
    openAiRoutes(routes, {
      db,
      ...needs,
      answer,
      hasRetrieval,
      use,
      budgets,
    });
    canvasRoutes(routes, { db, sharing, workers, exports, maxCanvases });
    servicesConfigRoutes(routes, { db, outgoing, encryptionKey });
    templateRoutes(routes, { db });
    conversionRoutes(routes, {
      db,
      log,
      workers,
      ...needs,
      budgets,
      use,
      maxConversions: config.CONVERSIONS_PER_USER,
    });
    usageRoutes(routes, { db, budgets, use });
    catalogueRoutes(routes, { db, outgoing, encryptionKey, cache });
    routes.on(coreContract.personalData, ({ params, query }) =>
      personalData(db, params.userId, query.after),
    );

    return {
      routes,
      consumers: [
        {
          queue: TRANSACTIONS_QUEUE,
          handle: transactionStore(db, budgets),
          options: USAGE_RECORDS,
        },
        { queue: userDeletionQueue("core"), handle: userDeletions(db) },
      ],
      jobs: coreJobs({ db, cache, log, outgoing, encryptionKey, sharing }, config),
      inspections: () => inspectProviders({ db, outgoing, encryptionKey }, signal),
      async startupMessages() {
        const { items } = await listSelections(db, 1, 0);
        const [first] = items;
        if (!first)
          return [
            "No model is enabled: set a provider's key, such as OPENAI_API_KEY, and restart.",
          ];
        const offline =
          first.providerName === "offline"
            ? " – no language model; set OPENAI_API_KEY, ANTHROPIC_API_KEY or another provider's key for real answers"
            : "";
        return [`Model: ${first.displayName} (${first.id})${offline}`];
      },
      async close() {
        await replies[Symbol.asyncDispose]();
        await models[Symbol.asyncDispose]();
        await budgets[Symbol.asyncDispose]();
      },
    };
  },
});
