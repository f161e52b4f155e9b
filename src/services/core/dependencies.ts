import { BoundedEntries } from "../../platform/cache/bounded-entries.ts";
import type { ServiceContext } from "../../platform/service.ts";
import { answeringAgent } from "./agents/answering-agent.ts";
import { createModelChooser } from "./catalogue/choose-model.ts";
import type { CoreConfig } from "./config.ts";
import { createCode } from "./code/code.ts";
import { createFilesOf } from "./given-files/given-files.ts";
import { type Attachments, createAttachments } from "./conversations/attachments.ts";
import { createRegistrar } from "./conversations/register-new.ts";
import { createBackgroundResponses } from "./openai-api/responses/background.ts";
import { createFileSearch } from "./openai-api/responses/search-files.ts";
import { createFlowCheck } from "./flows/check-flows.ts";
import { createFlows } from "./flows/flows.ts";
import { createImages } from "./images/images.ts";
import { createTranscriber } from "./images/transcribe.ts";
import { takenBy } from "./openai-api/taken-by.ts";
import { createLabels } from "./labels/labels.ts";
import { limitExports } from "./limit-exports.ts";
import { permittedUse } from "./permitted-use.ts";
import { MAX_REPLIES } from "./replies/begin-reply.ts";
import { createCheckRights } from "./replies/check-rights.ts";
import { createReplyWriter } from "./replies/record-reply.ts";
import { createPartialSaver } from "./replies/save-partials.ts";
import { createReplyRunner } from "./replies/reply-runner.ts";
import { createActingUsers } from "./acting-users.ts";
import { createSharing } from "./sharing.ts";
import { passageFinder } from "./sources/find-passages.ts";
import { createTexts } from "./sources/texts-client.ts";
import { createBudgets } from "./usage/budgets.ts";
import { createFindNames } from "./user-names.ts";
import { createTables } from "./tables/tables-client.ts";
import { createWeb } from "./web/web-client.ts";

type Context = ServiceContext<CoreConfig>;

/** Owners whose conversations are known to be few, in one process. */
const MAX_ROOMY = 10_000;

/** The dependencies of core's routes. Each route takes those that it needs. */
export type CoreDependencies = Awaited<ReturnType<typeof createDependencies>>;

export async function createDependencies(context: Context) {
  const { config, db, cache, files, guard, log, endpoints, workers, secrets, signal } =
    context;
  const peers = connectPeers(context);
  const { sharing, actingUsers, hasRetrieval, flows, attachments, web } = peers;
  const code = openCode(context, attachments);
  const researchBudget = {
    searches: config.RESEARCH_SEARCHES,
    pages: config.RESEARCH_PAGES,
    tokens: config.RESEARCH_TOKENS,
    minutes: config.RESEARCH_MINUTES,
  };
  const owned = { db, cache, guard, log, endpoints, workers, files, code, researchBudget };
  const models = await createModelChooser(db, cache);
  const labels = await createLabels({ db, cache, users: context.peer("users") });
  const shared = { ...owned, ...peers, labels };
  const budgets = await createBudgets({ db, cache, membersOf: sharing.membersOf });
  const writer = createReplyWriter(db, MAX_REPLIES);
  const register = createRegistrar({ db, sharing, log });
  const use = permittedUse({
    guard,
    models,
    findAgent: (user, id, version) =>
      answeringAgent({ db, sharing, guard, hasRetrieval, flows, web }, user, {
        id,
        version,
      }),
  });
  const transcribe = createTranscriber({ ...peers, use, budgets });
  const filesOf = createFilesOf({
    ...shared,
    takes: (user, name) => takenBy(use, user, name),
    transcribe,
  });
  const images = createImages({
    ...shared,
    use,
    models,
    budgets,
    describeDocuments: attachments.describe,
    maxBytes: config.CODE_FILES_QUOTA_BYTES,
  });
  const checkRights = createCheckRights({ actingUsers, use });
  const saver = createPartialSaver(writer, log);
  const replies = { ...shared, images, writer, saver, register, checkRights };
  const runner = await createReplyRunner(replies, signal);
  const checkUser = actingUsers.find;
  const background = await createBackgroundResponses({
    ...owned,
    checkUser,
    ending: signal,
  });
  return {
    ...shared,
    filesOf,
    transcribe,
    images,
    publicUrl: context.publicUrl,
    outgoing: context.outgoing,
    encryptionKey: secrets.ENCRYPTION_KEY,
    exports: limitExports(),
    maxConversations: config.CONVERSATIONS_PER_USER,
    maxMessages: config.MESSAGES_PER_CONVERSATION,
    maxMessagesBytes: config.MESSAGES_QUOTA_BYTES,
    roomy: new BoundedEntries(MAX_ROOMY),
    maxVersions: config.VERSIONS_PER_RESOURCE,
    maxVersionsBytes: config.VERSIONS_QUOTA_BYTES,
    maxAgents: config.AGENTS_PER_USER,
    maxFolders: config.AGENT_FOLDERS_PER_USER,
    maxCanvases: config.CANVASES_PER_USER,
    maxConversions: config.CONVERSIONS_PER_USER,
    maxTags: config.TAGS_PER_USER,
    maxTemplates: config.TEMPLATES_PER_USER,
    findNames: createFindNames(context.peer("users"), log),
    models,
    budgets,
    writer,
    runner,
    background,
    conversions: new Set<string>(),
    register,
    use,
    checkDocuments: attachments.checkVisible,
    describeDocuments: attachments.describe,
  };
}

/** Absent without a sandbox service. */
function openCode({ config, db, files, peer, hasPeer }: Context, attachments: Attachments) {
  if (!hasPeer("sandbox")) return undefined;
  const maxBytes = config.CODE_FILES_QUOTA_BYTES;
  const { describe } = attachments;
  return createCode({
    db,
    files,
    sandbox: peer("sandbox"),
    describeDocuments: describe,
    maxBytes,
  });
}

/** The services that core calls. Documents, retrieval and integrations may be absent. */
function connectPeers({ config, peer, hasPeer }: Context) {
  const timeoutMs = config.CORE_REPLY_TIMEOUT;
  const documents = hasPeer("documents") ? peer("documents") : undefined;
  const retrieval = hasPeer("retrieval") ? peer("retrieval") : undefined;
  const integrations = hasPeer("integrations") ? peer("integrations") : undefined;
  const finder = documents && retrieval ? passageFinder(documents, retrieval) : undefined;
  const hasRetrieval = finder !== undefined;
  return {
    documents,
    parser: hasPeer("parser") ? peer("parser") : undefined,
    embedding: hasPeer("embedding") ? peer("embedding") : undefined,
    agent: peer("agent"),
    completion: peer("completion"),
    timeoutMs,
    sharing: createSharing(peer("users")),
    actingUsers: createActingUsers(peer("users")),
    hasRetrieval,
    fileSearch: documents && retrieval ? createFileSearch(documents, retrieval) : undefined,
    finder,
    texts: documents ? createTexts(documents) : undefined,
    checkFlows: createFlowCheck(integrations),
    flows: integrations ? createFlows(integrations, timeoutMs) : undefined,
    tables:
      documents && hasPeer("parser") ? createTables(documents, peer("parser")) : undefined,
    web: hasPeer("web") ? createWeb(peer("web")) : undefined,
    attachments: createAttachments(documents, hasRetrieval),
  };
}
