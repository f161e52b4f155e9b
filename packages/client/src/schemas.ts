// Made by `npm run client-types` from the contracts of the services.

export interface AcceptedMedium {
  runId: string;
  ruleId: number | null;
}

export interface AccessGround {
  /** Ownership, a share with the caller or with a group of theirs, or the link */
  kind: "owner" | "user" | "group" | "link";
  role: AccessRole;
  /** The folder above it that is owned, shared or opened; null: the resource itself */
  folderId: string | null;
  /** null unless shared with a group */
  groupName: string | null;
  /** Who shared it; null for the rest, and if the user is gone */
  grantedByName: string | null;
  /** Of a share */
  since: string | null;
}

export type AccessRole = "viewer" | "commenter" | "editor" | "owner";

export interface AccountNotice {
  id: string;
  at: string;
  /** As in the audit log: user.exported, user.changed … */
  action: string;
  /** null: a user who was deleted since */
  actorName: string | null;
  /** What was changed, such as password */
  fields: string[];
  isRead: boolean;
}

export interface Agent {
  name: string;
  description: string;
  type: AgentType;
  instructions: string;
  /** null: the default model */
  model: string | null;
  /** Names of tools, or `toolset:name` for all of one, also those added later */
  tools: string[];
  /** For `workflow`: the flow that it runs */
  flowId: string | null;
  /**
   * How it looks for passages; what is not `cortex` answers from documents as well
   * where this is given
   */
  retrieval: AgentRetrieval | null;
  temperature: number | null;
  /**
   * For each turn of its model. One that a provider's protocol has no place for
   * fails the reply by name
   */
  parameters: ModelParameters;
  /** Which tool calls wait for a decision, where the message does not ask for more */
  approval: "destructive" | "always";
  /** Questions to begin with */
  starters: string[];
  icon: string | null;
  files: string[];
  folderId: string | null;
  id: string;
  ownerId: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  deletedAt?: string;
}

export interface AgentChange {
  name?: string;
  description?: string;
  type?: AgentType;
  instructions?: string;
  model?: string | null;
  tools?: string[];
  flowId?: string | null;
  retrieval?: NewAgentRetrieval | null;
  temperature?: number | null;
  parameters?: NewAgentParameters;
  approval?: "destructive" | "always";
  starters?: string[];
  icon?: string | null;
  files?: string[];
  folderId?: string | null;
  /** The version that the change was made from; 409 when it is no longer the newest */
  baseVersion?: number;
}

export interface AgentDefinition {
  name: string;
  description: string;
  type: AgentType;
  instructions: string;
  /** null: the default model */
  model: string | null;
  /** Names of tools, or `toolset:name` for all of one, also those added later */
  tools: string[];
  /** For `workflow`: the flow that it runs */
  flowId: string | null;
  /**
   * How it looks for passages; what is not `cortex` answers from documents as well
   * where this is given
   */
  retrieval: AgentRetrieval | null;
  temperature: number | null;
  /**
   * For each turn of its model. One that a provider's protocol has no place for
   * fails the reply by name
   */
  parameters: ModelParameters;
  /** Which tool calls wait for a decision, where the message does not ask for more */
  approval: "destructive" | "always";
  /** Questions to begin with */
  starters: string[];
  icon: string | null;
}

export interface AgentMessage {
  role: "system" | "user" | "assistant" | "tool";
  /** Of a participant; for providers that speak OpenAI's protocol */
  name?: string;
  content: string | (CoreAnthropicMessageResultContentItemText | ImagePart | FilePart)[];
  /** On a tool message: the id of the call that it answers */
  toolCallId?: string;
  /** On an assistant message: the calls of the assistant */
  toolCalls?: AgentToolCall[];
}

export interface AgentMessageKind2 {
  role: "system" | "user" | "assistant" | "tool";
  /** Of a participant; for providers that speak OpenAI's protocol */
  name?: string;
  content: string | (CoreAnthropicMessageResultContentItemText | ImagePart | FilePart)[];
  /** On a tool message: the id of the call that it answers */
  toolCallId?: string;
  /** On an assistant message: the calls of the assistant */
  toolCalls?: AgentToolCallKind2[];
}

export interface AgentRetrieval {
  topK: number;
  /** Least similarity of a passage */
  grade: number;
  rerank?: AgentRetrievalRerank;
  /**
   * Passages are looked for before the model is asked (any model can that), by the
   * model with a tool, or both
   */
  mode: "step" | "tool" | "both";
  /**
   * Documents to answer from, besides the agent's files; empty: all that the asker
   * may see
   */
  docIds: string[];
}

export interface AgentRetrievalRerank {
  enabled: boolean;
  strategy?: "bge" | "llm";
  /** Passages kept. Default: all */
  topK?: number;
  /** Least score of a passage that is kept */
  score?: number;
}

export interface AgentRunBudget {
  /** 0: one turn without tools */
  amount: number;
  /** Price of a token. 1: the amount is in tokens */
  inputPrice?: number;
  outputPrice?: number;
  /** Of input that the provider had in its cache; absent: as of other input */
  cachedInputPrice?: number;
  /** Of input that the provider puts into its cache; absent: as of other input */
  cacheWriteInputPrice?: number;
}

export interface AgentRunError {
  error: string;
  code: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
}

export type AgentScope = "own" | "shared" | "organization" | "all";

export interface AgentToolCall {
  id: string;
  type: "tool_call";
  name: string;
  arguments: { [name: string]: unknown };
  /**
   * The arguments as the model wrote them, when they are not a JSON object. Such a
   * call must not run
   */
  unreadable?: string;
  /**
   * What the provider wants back with the call, such as the signature of a thought.
   * It goes to the same model only. Send it as it came
   */
  state?: { [name: string]: unknown };
}

export interface AgentToolCallKind2 {
  id?: string;
  type?: "tool_call";
  name: string;
  arguments: { [name: string]: unknown };
  /**
   * The arguments as the model wrote them, when they are not a JSON object. Such a
   * call must not run
   */
  unreadable?: string;
  /**
   * What the provider wants back with the call, such as the signature of a thought.
   * It goes to the same model only. Send it as it came
   */
  state?: { [name: string]: unknown };
}

export type AgentToolChoice = "auto" | "none" | "required";

export type AgentType = "simple" | "cortex" | "workflow" | "system" | "organization";

export interface AllowedTool {
  server: string;
  name: string;
  fingerprint: string;
}

export interface AnsweredBy {
  /** Id of the available model that answered */
  model: string;
  /** Its name */
  name: string;
  /** Id of the model that was asked */
  insteadOf: string;
  /**
   * Why that one did not answer: the code of its failure, or `load_shared` where
   * this is the same model at another endpoint
   */
  code: string;
}

export interface AnthropicModel {
  type: "model";
  id: string;
  display_name: string;
  created_at: string;
}

export interface AnthropicModels {
  data: AnthropicModel[];
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
}

export type Approval = "never" | "destructive" | "always";

export type AttributeFilter =
  | AttributeFilterForm1Form1
  | AttributeFilterForm1Form2
  | AttributeFilterForm2
  | AttributeFilterForm3;

export interface AttributeFilterForm1Form1 {
  type: "eq" | "ne" | "gt" | "gte" | "lt" | "lte";
  key: string;
  value: string | number | boolean;
}

export interface AttributeFilterForm1Form2 {
  type: "in" | "nin";
  key: string;
  value: (string | number | boolean)[];
}

export interface AttributeFilterForm2 {
  type: "and" | "or";
  filters: (AttributeFilterForm1Form1 | AttributeFilterForm1Form2)[];
}

export interface AttributeFilterForm3 {
  type: "and" | "or";
  filters: (AttributeFilterForm1Form1 | AttributeFilterForm1Form2 | AttributeFilterForm2)[];
}

export type Attributes = { [name: string]: string | number | boolean };

export interface AuditEntry {
  id: string;
  at: string;
  /** The id of a user, `scim:` and a token's, or the kind of caller, as `service` */
  actorId: string;
  /** Of a user or a SCIM token; null for services and deleted users */
  actorName: string | null;
  action: string;
  resourceType: string;
  resourceId: string;
  /** Of a user or a group as it is now, else as it was recorded; null if unknown */
  resourceName: string | null;
  /** Of the user or group that the details name, such as a new member */
  otherName: string | null;
  details: { [name: string]: unknown };
  requestId: string | null;
}

export interface AuthorizationRequest {
  response_type?: string;
  client_id: string;
  redirect_uri: string;
  code_challenge?: string;
  code_challenge_method?: string;
  scope?: string;
  state?: string;
  resource?: string;
}

export interface AutomationsChangeResult {
  success: string;
}

export interface AutomationsChangeSourceRequest {
  name?: string;
  /** Origin of its media. Default: `<kind>/<name>` */
  origin?: string;
  /** A type of its media, in addition to those of the bytes and the file name */
  type?: string | null;
  tags?: string[];
  isActive?: boolean;
}

export type AutomationsCreateSourceResult =
  | AutomationsSourceFolder
  | AutomationsSourceS3
  | AutomationsCreateSourceResultWebhook;

export interface AutomationsCreateSourceResultWebhook {
  name: string;
  /** Origin of its media. Default: `<kind>/<name>` */
  origin: string;
  /** A type of its media, in addition to those of the bytes and the file name */
  type: string | null;
  tags: string[];
  isActive: boolean;
  id: string;
  /** Why the last check failed */
  error: RunError | null;
  lookedAt: string | null;
  createdAt: string;
  updatedAt: string;
  kind: "webhook";
  /** The URL to send media to */
  url: string;
  /** Secret of a webhook, `whsec_…`; only this response contains it */
  secret?: string;
}

export interface AutomationsInspectMediumRequest {
  file: Blob;
}

export interface AutomationsInspectMediumResult {
  filename: string;
  mimeType: string;
  size: number;
}

export interface AutomationsListRuleRunsResult {
  items: RuleRun[];
  page: number;
  limit: number;
  total: number;
}

export interface AutomationsListRunsResult {
  items: RunSummary[];
  page: number;
  limit: number;
  total: number;
}

export interface AutomationsListSchedulesResult {
  items: Schedule[];
  page: number;
  limit: number;
  total: number;
}

export interface AutomationsListSourceItemsResult {
  items: SourceItem[];
  page: number;
  limit: number;
  total: number;
}

export interface AutomationsListSourcesResult {
  items: AutomationsSource[];
  page: number;
  limit: number;
  total: number;
}

export interface AutomationsMatchResult {
  rule: Rule | null;
  reason: string;
  code?: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
  candidates: {
    id: number;
    name: string;
    type: string;
    origin: string;
    why: string;
    /** What its type pattern names */
    typeMatch: TypeMatch;
    /** Its origin pattern that matches */
    originMatch: string;
  }[];
}

export interface AutomationsPreviewRuleResult {
  items: PreviewedMedium[];
}

export interface AutomationsPreviewScheduleRequest {
  /** Minute, hour, day of month, month, day of week: `0 9 * * 1-5` */
  cron: string;
  /** IANA name, such as Europe/Berlin */
  timeZone?: string;
}

export interface AutomationsPreviewScheduleResult {
  /** Up to 5 times at which it will run; empty if it is inactive */
  nextTimes: string[];
}

export interface AutomationsRemoveResult {
  message: string;
}

export interface AutomationsRenewSecretResult {
  secret: string;
}

export type AutomationsSource =
  | AutomationsSourceFolder
  | AutomationsSourceS3
  | AutomationsSourceWebhook;

export interface AutomationsSourceFolder {
  name: string;
  /** Origin of its media. Default: `<kind>/<name>` */
  origin: string;
  /** A type of its media, in addition to those of the bytes and the file name */
  type: string | null;
  tags: string[];
  isActive: boolean;
  id: string;
  /** Why the last check failed */
  error: RunError | null;
  lookedAt: string | null;
  createdAt: string;
  updatedAt: string;
  kind: "folder";
  settings: AutomationsSourceFolderSettings;
}

export interface AutomationsSourceFolderSettings {
  /** A folder inside AUTOMATION_FOLDERS */
  path: string;
  /** Seconds between two checks */
  every: number;
}

export interface AutomationsSourceS3 {
  name: string;
  /** Origin of its media. Default: `<kind>/<name>` */
  origin: string;
  /** A type of its media, in addition to those of the bytes and the file name */
  type: string | null;
  tags: string[];
  isActive: boolean;
  id: string;
  /** Why the last check failed */
  error: RunError | null;
  lookedAt: string | null;
  createdAt: string;
  updatedAt: string;
  kind: "s3";
  settings: AutomationsSourceS3Settings;
}

export interface AutomationsSourceS3Settings {
  /** For example https://s3.eu-central-1.amazonaws.com */
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string;
  accessKeyId: string;
  /** Seconds between two checks */
  every: number;
  secretAccessKey: "•••";
}

export interface AutomationsSourceWebhook {
  name: string;
  /** Origin of its media. Default: `<kind>/<name>` */
  origin: string;
  /** A type of its media, in addition to those of the bytes and the file name */
  type: string | null;
  tags: string[];
  isActive: boolean;
  id: string;
  /** Why the last check failed */
  error: RunError | null;
  lookedAt: string | null;
  createdAt: string;
  updatedAt: string;
  kind: "webhook";
  /** The URL to send media to */
  url: string;
}

export interface AutomationsTakeMediumRequest {
  origin?: string;
  /** A type of your own, in addition to those of the bytes and the file name */
  type?: string;
  path?: string;
  /** Comma-separated */
  tags?: string;
  /** A JSON object of texts, numbers and booleans */
  metadata?: string;
  /** The run that produced it; its rule does not match it */
  madeByRun?: string;
  file: Blob;
}

export interface AvailableModel {
  id: string;
  modelId: string;
  providerName: string;
  /** The model's name at the provider */
  providerModelId: string;
  displayName: string;
  enabled: boolean;
  pricing?: Pricing;
  /**
   * Ids of available models that answer in its place, in this order, when it fails
   * before its first token
   */
  fallbacks?: string[];
  /** What holds where neither a request nor its agent says it */
  parameters?: DefaultParameters;
  /** Absent: its fallbacks answer only when it fails */
  loadSharing?: LoadSharing;
  /** The first usable completion model in this order is the default */
  position: number;
  fromEnvironment: boolean;
  kind: "completion" | "embedding" | "image" | "speech" | "transcription" | "moderation";
  /** It can answer now: it is offered, and it, its model and its provider are enabled */
  usable: boolean;
}

export interface AvailableModelChange {
  providerModelId?: string;
  displayName?: string;
  enabled?: boolean;
  pricing?: NewAvailableModelPricing | null;
  /** The entry at this position and all after it move one position down */
  position?: number;
  fallbacks?: string[];
  /** All of them; {}: as its provider does */
  parameters?: NewAvailableModelParameters;
  /** null: its fallbacks answer only when it fails */
  loadSharing?: NewAvailableModelLoadSharing | null;
}

export interface AvailableModelEntry {
  id: string;
  modelId: string;
  providerName: string;
  /** The model's name at the provider */
  providerModelId: string;
  displayName: string;
  enabled: boolean;
  pricing?: Pricing;
  /**
   * Ids of available models that answer in its place, in this order, when it fails
   * before its first token
   */
  fallbacks?: string[];
  /** What holds where neither a request nor its agent says it */
  parameters?: DefaultParameters;
  /** Absent: its fallbacks answer only when it fails */
  loadSharing?: LoadSharing;
}

export interface BackendAnswer {
  /** Form feeds separate pages */
  markdown: string;
  pages: number;
  layout?: TextLayout;
  title?: string;
  author?: string;
  language?: string;
  warnings: string[];
  /** Without white space. Absent: Parlance counts */
  pageQuality?: {
    page: number;
    characters: number;
    images: number;
    /** The part of the page that its largest picture covers, from 0.5 */
    covered?: number;
    /** Drawn characters of which the file does not say the letter */
    unread?: number;
  }[];
  /** Lines that repeat at the edges of pages and are not in the markdown */
  furniture?: {
    page: number;
    text: string;
  }[];
  tables?: ParsedTable[];
  images?: ParsedImage[];
}

export interface Branding {
  /** null: Parlance */
  name: string | null;
  /** The colour of buttons and links on a light page, as `#rrggbb`; null: the default */
  accent: string | null;
  /** Address of the logo */
  logo: string | null;
  /** Shown on every page, also before the sign-in */
  notice: BrandingNotice | null;
}

export interface BrandingNotice {
  text: string;
  until: string | null;
}

export interface Budget {
  name: string;
  /** `run`: a single reply with its tool calls */
  subjectType: "user" | "group" | "agent" | "run";
  /**
   * `*`: every user or agent separately; for `run`: the agent that replies, or `*`
   * for any
   */
  subjectId: string;
  /** For a group: one amount for all members, or this amount for each */
  share: "pool" | "each";
  /** `money`: in the currency of the models' prices */
  unit: "tokens" | "money";
  amount: number;
  /** In UTC; weeks start on Monday. Ignored for `run` */
  period: "day" | "week" | "month" | "total";
  /** The share of the amount from which users are warned */
  warnAt: number;
  enabled: boolean;
  id: string;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

export interface BudgetChange {
  name?: string;
  amount?: number;
  warnAt?: number;
  enabled?: boolean;
}

export interface Canvas {
  id: string;
  conversationId: string | null;
  title: string;
  type: "markdown" | "code" | "html";
  language: string | null;
  version: number;
  content: string;
  createdAt: string;
  updatedAt: string;
}

export interface CarriedLabel {
  id: string;
  name: string;
  color: LabelColor;
  /** Names of the providers whose models may read it; null: all */
  providers: string[] | null;
  /**
   * Calls of tools that reach the open world, once a run has read it. With `ask`
   * they wait for a decision, as destructive calls do with `ask` and `refused`
   */
  openWorld: "allowed" | "ask" | "refused";
  /** Groups within which it may be shared; empty: with nobody; null: with anybody */
  sharing: string[] | null;
}

export interface ChatRequest {
  /** A model's id, or an agent's: `agent:<id>` */
  model: string;
  messages: {
    role: "system" | "developer" | "user" | "assistant" | "tool";
    name?: string | null;
    content?:
      | string
      | (
          | CoreAnthropicMessageResultContentItemText
          | ChatRequestMessagesItemContentForm2ItemRefusal
          | ChatRequestMessagesItemContentForm2ItemImageUrl
          | ChatRequestMessagesItemContentForm2ItemFile
          | SoundPart
        )[]
      | null;
    tool_calls?:
      | {
          id: string;
          type?: "function";
          function: CoreChatCompletionsResultChoicesItemMessageToolCallsItemFunction;
          /** What the provider wants back with the call. Send it as it came */
          extra_content?: { [name: string]: unknown };
        }[]
      | null;
    tool_call_id?: string | null;
  }[];
  stream?: boolean | null;
  stream_options?: ChatRequestStreamOptions | null;
  tools?:
    | {
        type: "function";
        function: {
          name: string;
          description?: string | null;
          parameters?: { [name: string]: unknown } | null;
          strict?: boolean | null;
        };
      }[]
    | null;
  tool_choice?: "none" | "auto" | "required" | "any" | ChatRequestToolChoiceFunction | null;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | -1 | null;
  max_completion_tokens?: number | -1 | null;
  frequency_penalty?: number | null;
  presence_penalty?: number | null;
  seed?: number | null;
  logit_bias?: { [name: string]: number } | null;
  parallel_tool_calls?: boolean | null;
  reasoning_effort?: string | null;
  verbosity?: string | null;
  stop?: string | string[] | null;
  response_format?:
    | ChatRequestResponseFormatForm1
    | ChatRequestResponseFormatJsonSchema
    | null;
  n?: 1 | null;
  functions?: null;
  function_call?: null;
  logprobs?: false | 0 | null;
  top_logprobs?: false | 0 | null;
  modalities?: "text"[] | null;
  audio?: null;
  web_search_options?: null;
  [name: string]: unknown;
}

export interface ChatRequestMessagesItemContentForm2ItemFile {
  type: "file";
  file: {
    file_id?: string | null;
    /** In base64, or a data: URL */
    file_data?: string | null;
    filename?: string | null;
  };
}

export interface ChatRequestMessagesItemContentForm2ItemImageUrl {
  type: "image_url";
  image_url: {
    url: string;
    detail?: "auto" | "low" | "high" | null;
  };
}

export interface ChatRequestMessagesItemContentForm2ItemRefusal {
  type: "refusal";
  refusal: string;
}

export interface ChatRequestResponseFormatForm1 {
  type: "text" | "json_object";
}

export interface ChatRequestResponseFormatJsonSchema {
  type: "json_schema";
  json_schema: {
    schema?: { [name: string]: unknown };
    [name: string]: unknown;
  };
}

export interface ChatRequestStreamOptions {
  include_usage?: boolean | null;
}

export interface ChatRequestToolChoiceFunction {
  type: "function";
  function: {
    name: string;
  };
}

export interface Chunk {
  index: number;
  content: string;
  /**
   * In UTF-16 units: text.slice(start, end) is the content, after the header of its
   * table
   */
  start: number;
  end: number;
  tokenCount: number;
  /**
   * The page or slide of its start. Where `place` is neither, the file states no
   * page, and this is the part of its text
   */
  pageNumber: number;
  place: Place;
  /** Headings of its sections, the outermost first */
  headings: string[];
}

export interface ChunkMetadata {
  chunkId: string;
  documentId: string;
  fileName: string;
  chunkIndex: number;
  /**
   * The page or slide of its start. Where `place` is neither, the file states no
   * page, and this is the part of its text
   */
  pageNumber: number;
  place: Place;
  contentType: string;
  /** Headings of its sections, the outermost first */
  headings: string[];
  /** In UTF-16 units of the document's markdown */
  start: number;
  end: number;
  language: string | null;
  /** The English text that is searched, when translated */
  translation: string | null;
}

export interface Conversation {
  id: string;
  title: string;
  userId: string;
  agentId: string | null;
  tags: string[];
  pinned: boolean;
  /** Attached documents, from which its replies are made */
  documents: string[];
  createdAt: string;
  updatedAt: string;
  deletedAt?: string;
}

export interface ConversationMessage {
  id: string;
  conversationId: string;
  parentId: string | null;
  role: "user" | "assistant";
  content: string;
  /** What the model thought before it answered */
  reasoning: string;
  status: "streaming" | "complete" | "stopped" | "failed";
  agentId: string | null;
  /** The version of the agent that answered */
  agentVersion: number | null;
  /** The model that was asked */
  model: string | null;
  answeredBy?: AnsweredBy | null;
  toolCalls: ToolOutcome[];
  /** Calls that wait for a decision */
  waiting: ConversationMessageWaitingItem[];
  sources: StoredSource[];
  /** Why the documents had nothing for this reply */
  notFound?: CoreNotFound | null;
  /** What the reply was made without, such as a page that could not be read */
  warnings?: RunError[] | null;
  /** Of what the reply was made from; its conversation carries them on */
  labels?: NamedLabel[] | null;
  /** Of a reply that researches: plan, budget */
  research?: ResearchState | null;
  /** Versions of canvases that the model wrote in this reply */
  canvases: ConversationMessageCanvasesItem[];
  files: ConversationMessageFilesItem[];
  usage: Usage | null;
  /** The caller's reaction */
  reaction: "like" | "dislike" | null;
  finishReason: string | null;
  error: AgentRunError | null;
  createdAt: string;
}

export interface ConversationMessageCanvasesItem {
  canvasId: string;
  version: number;
  title: string;
}

export interface ConversationMessageFilesItem {
  id: string;
  fileName: string;
  mimeType: string;
  size: number;
}

export interface ConversationMessageWaitingItem {
  toolCallId: string;
  name: string;
  arguments: { [name: string]: unknown };
  server?: string;
  fingerprint?: string;
  /**
   * Why a call of an allowed tool waits. `open_world`: the run has read what anybody
   * may have written; `label`: it has read what carries a label whose rule asks;
   * `sign_in`: its server wants the user's own account, to be connected before the
   * call is approved; `visit`: its server wants the user at an address first
   */
  because?: WaitsBecause;
  label?: string;
  visit?: Visit;
}

export interface Conversion {
  id: string;
  type: "grammar" | "translation" | "summarisation";
  input: string;
  output: string;
  targetLanguage: string | null;
  options: CoreConvertResultOptions;
  status: "running" | "complete" | "stopped" | "failed";
  model: string;
  error: AgentRunError | null;
  createdAt: string;
  updatedAt: string;
}

export interface CoreAgentCardResult {
  name: string;
  description: string;
  [name: string]: unknown;
}

export interface CoreAgentFilesResult {
  items: {
    id: string;
    /** null if it was deleted or is not shared with you */
    fileName: string | null;
    /** null if it was deleted or is not shared with you */
    mimeType: string | null;
    /** null if it was deleted or is not shared with you */
    size: number | null;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreAgentRpcResult {
  jsonrpc: "2.0";
  [name: string]: unknown;
}

export interface CoreAgentTrashResult {
  items: {
    name: string;
    description: string;
    type: AgentType;
    /** Left out of a page of agents that are too long for one answer */
    instructions?: string;
    /** null: the default model */
    model: string | null;
    /** Left out of a page of agents that are too long for one answer */
    tools?: string[];
    /** For `workflow`: the flow that it runs */
    flowId: string | null;
    /** Left out of a page of agents that are too long for one answer */
    retrieval?: AgentRetrieval | null;
    temperature: number | null;
    /**
     * For each turn of its model. One that a provider's protocol has no place for
     * fails the reply by name
     */
    parameters: ModelParameters;
    /** Which tool calls wait for a decision, where the message does not ask for more */
    approval: "destructive" | "always";
    /** Questions to begin with */
    starters: string[];
    icon: string | null;
    /** Left out with the instructions */
    files?: string[];
    folderId: string | null;
    id: string;
    ownerId: string;
    version: number;
    createdAt: string;
    updatedAt: string;
    deletedAt?: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreAgentTreeResult {
  folders: CoreAgentTreeResultValue[];
  agents: Agent[];
}

export interface CoreAgentTreeResultValue {
  id: string;
  name: string;
  parentId: string | null;
  agents: Agent[];
  children: CoreAgentTreeResultValue[];
}

export interface CoreAllowAddressRequest {
  /** `host:port`, an IPv6 address in brackets */
  address: string;
}

export interface CoreAnthropicMessageResult {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: (
    | CoreAnthropicMessageResultContentItemThinking
    | CoreAnthropicMessageResultContentItemRedactedThinking
    | CoreAnthropicMessageResultContentItemText
    | CoreAnthropicMessageResultContentItemToolUse
  )[];
  stop_reason: "end_turn" | "max_tokens" | "tool_use" | "refusal" | null;
  stop_sequence: null;
  usage: {
    /** Without those that the provider's cache gave or took */
    input_tokens: number;
    output_tokens: number;
    cache_read_input_tokens: number;
    cache_creation_input_tokens: number;
  };
}

export interface CoreAnthropicMessageResultContentItemRedactedThinking {
  type: "redacted_thinking";
  data: string;
}

export interface CoreAnthropicMessageResultContentItemText {
  type: "text";
  text: string;
}

export interface CoreAnthropicMessageResultContentItemThinking {
  type: "thinking";
  thinking: string;
  signature: string;
}

export interface CoreAnthropicMessageResultContentItemToolUse {
  type: "tool_use";
  id: string;
  name: string;
  input: { [name: string]: unknown };
}

export interface CoreAnthropicTokensRequest {
  /** A model's id, or an agent's: `agent:<id>` */
  model: string;
  messages: MessagesRequestMessagesItem[];
  system?: string | CoreAnthropicMessageResultContentItemText[] | null;
  tools?: (MessagesRequestToolsItemForm1 | MessagesRequestToolsItemForm2)[] | null;
  tool_choice?:
    | MessagesRequestToolChoiceAuto
    | MessagesRequestToolChoiceAny
    | MessagesRequestToolChoiceTool
    | MessagesRequestToolChoiceNone
    | null;
  output_config?: MessagesRequestOutputConfig | null;
  mcp_servers?: never[] | null;
}

export interface CoreAnthropicTokensResult {
  input_tokens: number;
}

export interface CoreApproveRequest {
  toolCallId: string;
  /**
   * `always`: approve, and do not ask again for this tool until it changes, or a
   * reply has read the open world before it
   */
  decision: "approve" | "deny" | "always";
  arguments?: { [name: string]: unknown };
}

export interface CoreApproveResult {
  messageId: string;
  waiting: number;
}

export interface CoreBudgetSpendingResult {
  items: {
    spender: string;
    /**
     * Name of the user or agent; null for others, and for users outside the caller's
     * organisation
     */
    name: string | null;
    spent: number;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreCanvasStateResult {
  /** Number of the newest version */
  version: number;
  /** The caller's role */
  role: AccessRole;
  /** The editing lock of the canvas's conversation; null: nobody holds it */
  lock: {
    /** The id with which an administrator releases the lock */
    featureId: string;
    userId: string;
    userName: string | null;
    expiresAt: string;
  } | null;
}

export interface CoreCanvasTrashResult {
  items: {
    id: string;
    conversationId: string | null;
    title: string;
    type: "markdown" | "code" | "html";
    language: string | null;
    version: number;
    createdAt: string;
    updatedAt: string;
    deletedAt: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreChangeCanvasRequest {
  title: string;
}

export interface CoreChangeConversionRequest {
  output: string;
}

export interface CoreChangeFolderRequest {
  name?: string;
  parentId?: string | null;
}

export interface CoreChangeRequest {
  title?: string;
  pinned?: boolean;
  tags?: string[];
}

export interface CoreChatCompletionsResult {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: {
    index: number;
    message: {
      role: "assistant";
      content: string | null;
      refusal: null;
      reasoning_content?: string;
      tool_calls?: {
        id: string;
        type: "function";
        function: CoreChatCompletionsResultChoicesItemMessageToolCallsItemFunction;
        /** What the provider wants back with the call. Send it as it came */
        extra_content?: { [name: string]: unknown };
      }[];
    };
    logprobs: null;
    finish_reason: "stop" | "length" | "tool_calls" | "content_filter";
  }[];
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    prompt_tokens_details: {
      cached_tokens: number;
      cache_write_tokens: number;
    };
  };
}

export interface CoreChatCompletionsResultChoicesItemMessageToolCallsItemFunction {
  name: string;
  /** JSON as text; some clients send the object itself */
  arguments: string | { [name: string]: unknown };
}

export interface CoreChatHistoryResult {
  items: {
    id: string;
    title: string;
    userId: string;
    agentId: string | null;
    tags: string[];
    pinned: boolean;
    /** Attached documents, from which its replies are made */
    documents: string[];
    createdAt: string;
    updatedAt: string;
    deletedAt?: string;
    /** Whether a reply is being made */
    running: boolean;
    /** Of its newest message that has a text, if asked for; Markdown, cut */
    words?: string;
  }[];
  page: number;
  limit: number;
  total: number;
  /** Give it as `cursor` for the next page; null: the end */
  next: string | null;
}

export interface CoreCompareWebPageRequest {
  url: string;
  /** The words as kept */
  content: string;
}

export interface CoreCompareWebPageResult {
  state: "same" | "changed" | "unreadable";
  readAt?: string;
  /**
   * Where the page changed: from the words as kept to the part of it that is most
   * like them. Absent where no part is
   */
  changes?: TextChange[];
  /** Why it cannot be read */
  problem?: AgentRunError;
}

export interface CoreConversationFilesResult {
  items: {
    id: string;
    /** `written`: by code; `attached`: a document of a message, whose `id` it has */
    kind: "written" | "attached";
    /** In the folder that code sees */
    name: string;
    mediaType: string;
    size: number;
    createdAt: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreConvertResult {
  id: string;
  type: "grammar" | "translation" | "summarisation";
  input: string;
  output: string;
  targetLanguage: string | null;
  options: CoreConvertResultOptions;
  status: "running" | "complete" | "stopped" | "failed";
  model: string;
  error: AgentRunError | null;
  createdAt: string;
  updatedAt: string;
  /** The changes of a grammar correction, word by word */
  changes?: TextChange[];
}

export interface CoreConvertResultOptions {
  /** Such as formal or friendly */
  tone?: string;
  /** Length of a summary */
  length?: "short" | "medium" | "long";
}

export interface CoreCreateCanvasVersionRequest {
  baseVersion: number;
  content: string;
  title?: string;
}

export interface CoreCreateFolderRequest {
  name: string;
  parentId?: string | null;
}

export interface CoreCreateOpenAiConversationRequest {
  /** `title` is its title; the rest is not kept */
  metadata?: Metadata | null;
  /** Messages that it begins with: of the user and answers to them, as text */
  items?:
    | {
        type?: "message" | null;
        role: "user" | "assistant" | "system" | "developer";
        content: string | ItemForm1MessageContentForm2ItemForm1[];
      }[]
    | null;
}

export interface CoreCreateOpenAiConversationResult {
  id: string;
  object: "conversation";
  created_at: number;
  metadata: { [name: string]: string };
}

export interface CoreDeleteAgentsRequest {
  ids: string[];
}

export interface CoreDeleteAgentsResult {
  results: CoreDeleteAgentsResultResultsItem[];
}

export interface CoreDeleteAgentsResultResultsItem {
  error?: string;
  code?: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
  id: string;
  success: boolean;
}

export interface CoreDeleteOpenAiConversationResult {
  id: string;
  object: "conversation.deleted";
  deleted: true;
}

export interface CoreDeleteResponseResult {
  id: string;
  object: "response.deleted";
  deleted: true;
}

export interface CoreDiffCanvasResult {
  from: number;
  to: number;
  changes: {
    kind: "same" | "added" | "removed";
    lines: number;
    text: string;
  }[];
}

export interface CoreDiffVersionsResult {
  changes: {
    field: string;
    from: unknown;
    to: unknown;
    /** Of a text: what was changed, word by word, where that can be compared */
    words?: TextChange[];
  }[];
}

export interface CoreExportTableRequest {
  documentIds: string[];
  sql: string;
}

export interface CoreFillTemplateRequest {
  values?: { [name: string]: string };
}

export interface CoreFillTemplateResult {
  text: string;
}

export interface CoreFindLocalServersResult {
  items: {
    /** Ollama, LM Studio, llama.cpp or vLLM */
    name: string;
    kind: ProviderKind;
    /** For the config of a provider of this kind */
    baseUrl: string;
    /** `host:port` */
    address: string;
    /** false: allow its address first */
    allowed: boolean;
    /** How many models it offers */
    models: number;
  }[];
}

export interface CoreGenerateImagesRequest {
  prompt: string;
  count?: number;
  /** Such as 1024x1024 */
  size?: string;
  /** A model of this kind; default: the first that you may use */
  model?: string;
  conversationId?: string;
}

export interface CoreGenerateImagesResult {
  /** Id of the model that answered, which may be a fallback of the one that was asked */
  model: string;
  images: {
    mediaType: string;
    /** base64 */
    data: string;
    /** GET /api/v1/conversation/files/{id}/content */
    file?: UsersChangeMeResult;
  }[];
}

export interface CoreGetCanvasResult {
  id: string;
  conversationId: string | null;
  title: string;
  type: "markdown" | "code" | "html";
  language: string | null;
  version: number;
  content: string;
  createdAt: string;
  updatedAt: string;
  /** The passages that its text cites, of the reply that wrote it */
  sources?: Source[];
}

export interface CoreGetVersionResult {
  version: number;
  changedBy: string;
  createdAt: string;
  definition: AgentDefinition;
  files: string[];
}

export interface CoreListAgentsResult {
  items: CoreListAgentsResultItemsItem[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListAgentsResultItemsItem {
  name: string;
  description: string;
  type: AgentType;
  /** Left out of a page of agents that are too long for one answer */
  instructions?: string;
  /** null: the default model */
  model: string | null;
  /** Left out of a page of agents that are too long for one answer */
  tools?: string[];
  /** For `workflow`: the flow that it runs */
  flowId: string | null;
  /** Left out of a page of agents that are too long for one answer */
  retrieval?: AgentRetrieval | null;
  temperature: number | null;
  /**
   * For each turn of its model. One that a provider's protocol has no place for
   * fails the reply by name
   */
  parameters: ModelParameters;
  /** Which tool calls wait for a decision, where the message does not ask for more */
  approval: "destructive" | "always";
  /** Questions to begin with */
  starters: string[];
  icon: string | null;
  /** Left out with the instructions */
  files?: string[];
  folderId: string | null;
  id: string;
  ownerId: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  deletedAt?: string;
  /** What the caller may do: viewers use it, editors change it */
  role: AccessRole;
  /** Name of the owner; null if there is none */
  ownerName: string | null;
}

export interface CoreListAllowedAddressesResult {
  items: CoreListAllowedAddressesResultItemsItem[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListAllowedAddressesResultItemsItem {
  address: string;
  /** The id of the administrator */
  allowedBy: string;
  allowedAt: string;
}

export interface CoreListAllowedToolsResult {
  items: {
    server: string;
    name: string;
    allowedAt: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListAvailableModelsResult {
  items: AvailableModel[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListBudgetsResult {
  items: {
    name: string;
    /** `run`: a single reply with its tool calls */
    subjectType: "user" | "group" | "agent" | "run";
    /**
     * `*`: every user or agent separately; for `run`: the agent that replies, or `*`
     * for any
     */
    subjectId: string;
    /** For a group: one amount for all members, or this amount for each */
    share: "pool" | "each";
    /** `money`: in the currency of the models' prices */
    unit: "tokens" | "money";
    amount: number;
    /** In UTC; weeks start on Monday. Ignored for `run` */
    period: "day" | "week" | "month" | "total";
    /** The share of the amount from which users are warned */
    warnAt: number;
    enabled: boolean;
    id: string;
    createdBy: string;
    createdAt: string;
    updatedAt: string;
    /** Start of the current period; null for `total` */
    startsAt: string | null;
    resetsAt: string | null;
    /** Name of the user, group or agent; null for `*` and for what is deleted */
    subjectName: string | null;
    /** null for deleted users */
    creatorName: string | null;
    /** What everybody together spent in the current period */
    spent: number;
    /** What the highest spender spent in the current period */
    highest: number;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListCanvasVersionsResult {
  items: {
    version: number;
    createdBy: string;
    /** null: the user was deleted */
    createdByName: string | null;
    /** The reply in which a model wrote it; null: a user wrote it */
    messageId: string | null;
    characters: number;
    createdAt: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListCanvasesResult {
  items: {
    id: string;
    conversationId: string | null;
    title: string;
    type: "markdown" | "code" | "html";
    language: string | null;
    version: number;
    createdAt: string;
    updatedAt: string;
    ownerName: string | null;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListConversionsResult {
  items: Conversion[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListFeedbackResult {
  items: {
    reaction: "like" | "dislike";
    /** What was wrong with the answer; only with a dislike */
    reasons: (
      | "wrong"
      | "incomplete"
      | "not_my_documents"
      | "not_followed"
      | "too_long"
      | "unsafe"
    )[];
    comment: string | null;
    /** When it was given, or changed */
    at: string;
    userId: string;
    /** null for users outside the caller's organisation */
    userName: string | null;
    /** That answered, as `provider/model` */
    model: string | null;
    /** That answered */
    agentId: string | null;
    /** null for agents outside the caller's organisation */
    agentName: string | null;
    messageId: string;
    /** null unless the caller may read the conversation */
    conversationId: string | null;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListFoldersResult {
  items: Folder[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListInputItemsResult {
  object: "list";
  data: unknown[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

export interface CoreListModelsResult {
  items: ModelEntry[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListOpenAiConversationItemsResult {
  object: "list";
  data: {
    id: string;
    type: "message";
    role: "user" | "assistant";
    status: "in_progress" | "completed" | "incomplete";
    content: {
      type: "input_text" | "output_text";
      text: string;
      annotations?: unknown[];
    }[];
  }[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

export interface CoreListProviderHealthResult {
  items: ProviderHealth[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListProvidersResult {
  items: Provider[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListSearchEnginesResult {
  items: CoreListSearchEnginesResultItemsItem[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListSearchEnginesResultItemsItem {
  id: string;
  kind: string;
  name: string;
  enabled: boolean;
  /** Set in the environment: asked first, and changed there alone */
  fromEnvironment: boolean;
  /** Keys read as ••• */
  config: { [name: string]: string };
  /** Empty where the web service cannot be asked */
  state: EngineState;
}

export interface CoreListSelectionsResult {
  items: Selection[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListTemplatesResult {
  items: Template[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListToolServersResult {
  items: CoreListToolServersResultItemsItem[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListToolServersResultItemsItem {
  name: string;
  /** An address of the network, or `stdio:<name>` for a command of MCP_COMMANDS */
  url: string;
  headers?: { [name: string]: "•••" };
  oauth?: CoreListToolServersResultItemsItemOauth;
  transport?: "streamable-http";
  enabled: boolean;
  /**
   * Whether tools that it adds later are offered unasked, and its word counts that a
   * tool does not reach the open world; without it new tools wait for approval, and
   * labels judge calls of all its tools as calls to the outside
   */
  trusted?: boolean;
  /** Of its registration; ignored where it is sent */
  registeredAt?: string;
  /** Other names for its tools: `{theirName: ourName}` */
  rename?: { [name: string]: string };
  /** Tools that are not offered */
  hide?: string[];
  [name: string]: unknown;
}

export interface CoreListToolServersResultItemsItemOauth {
  /** Of a registration by hand; without it Parlance registers itself */
  clientId?: string;
  clientSecret?: "•••";
  /**
   * The only authorization server that the client may be used at; absent: the first
   * one that the server names
   */
  issuer?: string;
  /** Rights to ask for, in place of those that the server names */
  scopes?: string[];
  /**
   * `false`: register even where the server would read `/mcp/oauth/client.json`,
   * such as one that cannot reach this installation
   */
  useMetadataDocument?: boolean;
}

export interface CoreListToolsetsResult {
  items: {
    /** `toolset:` and this, in `tools`, names all of its tools */
    name: string;
    title: string;
    description: string;
    /** What roles must grant for its tools */
    permission: string;
    /** Replies that it suits have its tools without naming them */
    unasked: boolean;
    /** Why it cannot be used here now */
    missing?: AgentRunError;
    /** The most that one reply may use with it */
    budget?: { [name: string]: number };
    tools: {
      /** To be named in `tools` of a message or an agent */
      name: string;
      description: string;
      /** `additive`: it changes something and destroys nothing */
      effect: ToolEffect;
      /** It reaches what is outside of the installation */
      openWorld: boolean;
      /** Whether your roles let your replies use it */
      permitted: boolean;
      /** Why it alone cannot be used here now */
      missing?: AgentRunError;
    }[];
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListVersionsResult {
  items: {
    version: number;
    changedBy: string;
    createdAt: string;
    definition: ListedDefinition;
    /** Left out with the instructions */
    files?: string[];
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreListViewContextsResult {
  items: CoreListViewContextsResultItemsItem[];
}

export interface CoreListViewContextsResultItemsItem {
  /** The call whose result the view shows */
  toolCallId: string;
  /** Whose view it is */
  server: string;
  content: string;
  updatedAt: string;
}

export interface CoreListWaitingResult {
  items: {
    conversationId: string;
    messageId: string;
    /** Of the conversation */
    title: string;
    /** How many of its calls wait for a decision */
    calls: number;
    /** The tool of the first of them */
    name: string;
    /** Where that tool is; null: it is the platform's own */
    server: string | null;
    /** Of that call */
    toolCallId: string;
    because: WaitsBecause | null;
    /** Of that call; null: too many to list, read the message */
    arguments: { [name: string]: unknown } | null;
    /** When the reply began */
    createdAt: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreMakeSpeechRequest {
  text: string;
  /** A model of this kind; default: the first that you may use */
  model?: string;
  /** As the provider names it */
  voice?: string;
  format?: "mp3" | "opus" | "aac" | "flac" | "wav" | "pcm";
}

export interface CoreMakeTranscriptionRequest {
  /** A model of this kind; default: the first that you may use */
  model?: string;
  /** Such as de; default: it is recognized */
  language?: string;
  file: Blob;
}

export interface CoreMakeTranscriptionResult {
  /** Id of the model that answered, which may be a fallback of the one that was asked */
  model: string;
  text: string;
}

export interface CoreMcpServersResultItem {
  name: string;
  /** An address of the network, or `stdio:<name>` for a command of MCP_COMMANDS */
  url: string;
  /** `{configured: true}` in place of values for callers without the secret */
  headers?: { [name: string]: string | CoreMcpServersResultItemHeadersItemForm2 };
  oauth?: CoreMcpServersResultItemOauth;
  transport?: "streamable-http";
  enabled: boolean;
  /**
   * Whether tools that it adds later are offered unasked, and its word counts that a
   * tool does not reach the open world; without it new tools wait for approval, and
   * labels judge calls of all its tools as calls to the outside
   */
  trusted?: boolean;
  /** Of its registration; ignored where it is sent */
  registeredAt?: string;
  /** Other names for its tools: `{theirName: ourName}` */
  rename?: { [name: string]: string };
  /** Tools that are not offered */
  hide?: string[];
  [name: string]: unknown;
}

export interface CoreMcpServersResultItemHeadersItemForm2 {
  configured: true;
}

export interface CoreMcpServersResultItemOauth {
  /** Of a registration by hand; without it Parlance registers itself */
  clientId?: string;
  clientSecret?: string | CoreMcpServersResultItemHeadersItemForm2;
  /**
   * The only authorization server that the client may be used at; absent: the first
   * one that the server names
   */
  issuer?: string;
  /** Rights to ask for, in place of those that the server names */
  scopes?: string[];
  /**
   * `false`: register even where the server would read `/mcp/oauth/client.json`,
   * such as one that cannot reach this installation
   */
  useMetadataDocument?: boolean;
}

export interface CoreNotFound {
  /**
   * below_threshold: no chunk reaches `grade` or `rerank.score`, or has a word of
   * the question. not_processed: no document of the search has been processed.
   * not_available: the named documents do not exist, or are not shared.
   * no_documents: there is nothing to search
   */
  reason: NotFoundReason;
  /** Names of documents that are not processed yet, or failed; a few of them */
  waiting: string[];
  /** How many these are */
  waitingCount: number;
  /**
   * How many of the documents that the agent or the conversation names do not exist,
   * or are not shared
   */
  unavailable: number;
  /** Passages below the threshold, which the reply is not made from */
  nearest: CoreNotFoundNearestItem[];
}

export interface CoreNotFoundNearestItem {
  /** Of a page of the web: its address */
  documentId: string;
  fileName: string;
  /**
   * The page or slide of its start; null where the file does not state it: see
   * `place`
   */
  pageNumber: number | null;
  /** Absent for a page of the web, and in older replies */
  place?: Place;
  chunkIndex: number;
  score: number;
  content: string;
  /** Absent in older replies: a page of the web has a `url` */
  kind?: "document" | "web" | "table";
  /** Of a table: the query and its rows */
  table?: TableOfSource;
  /** Of a page of the web. Absent: a document */
  url?: string;
  /** When the page had these words */
  fetchedAt?: string;
}

export interface CoreOpenAiImageEditsRequest {
  /** Default: the first that you may use */
  model?: string;
  prompt?: string;
  n?: number;
  size?: string;
  quality?: string;
  /** `true`: events while it is made */
  stream?: "true" | "false";
  image: Blob[];
  mask?: Blob;
}

export interface CoreOpenAiImagesRequest {
  /** A model of this kind; default: the first that you may use */
  model?: string | null;
  prompt: string;
  n?: number | null;
  /** Events while images are made */
  stream?: boolean | null;
  [name: string]: unknown;
}

export interface CoreOpenAiImagesResult {
  created: number;
  data: CoreOpenAiImagesResultDataItem[];
}

export interface CoreOpenAiImagesResultDataItem {
  b64_json?: string;
  url?: string;
  revised_prompt?: string;
}

export type CoreOpenAiModelResult = CoreOpenAiModelsResultForm1DataItem | AnthropicModel;

export type CoreOpenAiModelsResult = CoreOpenAiModelsResultForm1 | AnthropicModels;

export interface CoreOpenAiModelsResultForm1 {
  object: "list";
  data: CoreOpenAiModelsResultForm1DataItem[];
}

export interface CoreOpenAiModelsResultForm1DataItem {
  id: string;
  object: "model";
  created: number;
  owned_by: string;
}

export interface CoreOpenAiModerationRequest {
  /** A model of this kind; default: the first that you may use */
  model?: string | null;
  input:
    | string
    | string[]
    | (
        | CoreAnthropicMessageResultContentItemText
        | CoreOpenAiModerationRequestInputForm3ItemImageUrl
      )[];
  [name: string]: unknown;
}

export interface CoreOpenAiModerationRequestInputForm3ItemImageUrl {
  type: "image_url";
  image_url: {
    url: string;
  };
}

export interface CoreOpenAiModerationResult {
  id: string;
  model: string;
  results: {
    flagged: boolean;
    categories: { [name: string]: unknown };
    category_scores: { [name: string]: unknown };
  }[];
}

export interface CoreOpenAiSpeechRequest {
  /** A model of this kind; default: the first that you may use */
  model?: string | null;
  input: string;
  voice: string | CoreOpenAiSpeechRequestVoiceForm2;
  response_format?: "mp3" | "opus" | "aac" | "flac" | "wav" | "pcm" | null;
  /** `sse`: events with pieces of the sound, also where the model sends none */
  stream_format?: "audio" | "sse" | null;
  [name: string]: unknown;
}

export interface CoreOpenAiSpeechRequestVoiceForm2 {
  id: string;
}

export interface CoreOpenAiTranscriptionRequest {
  /** Default: the first that you may use */
  model?: string;
  language?: string;
  prompt?: string;
  /** json, text, srt, verbose_json, vtt or diarized_json */
  response_format?: string;
  temperature?: string;
  /** `true`: events while it is made */
  stream?: "true" | "false";
  file: Blob;
}

export interface CoreOrderSearchEnginesRequest {
  /** Each of them once, in the order in which they are asked */
  ids: string[];
}

export interface CoreOwnBudgetsResult {
  budgets: {
    budgetId: string;
    name: string;
    /** `money`: in the currency of the models' prices */
    unit: "tokens" | "money";
    amount: number;
    spent: number;
    /** Nearly used up */
    warn: boolean;
    exceeded: boolean;
    /** Start of the current period; null for `total` */
    startsAt: string | null;
    resetsAt: string | null;
    /** `run`: a single reply with its tool calls */
    subjectType: "user" | "group" | "agent" | "run";
    /**
     * `*`: every user or agent separately; for `run`: the agent that replies, or `*`
     * for any
     */
    subjectId: string;
    /** For a group: one amount for all members, or this amount for each */
    share: "pool" | "each";
    /** In UTC; weeks start on Monday. Ignored for `run` */
    period: "day" | "week" | "month" | "total";
    createdBy: string;
    createdAt: string;
    /** Name of the user, group or agent; null for `*` and for what is deleted */
    subjectName: string | null;
    /** null for deleted users */
    creatorName: string | null;
  }[];
}

export interface CorePutAgentsRequest {
  items: CorePutAgentsRequestItemsItem[];
}

export interface CorePutAgentsRequestItemsItem {
  id: string;
  [name: string]: unknown;
}

export interface CoreRegenerateRequest {
  /** The user's message to answer again, or one of its replies */
  messageId: string;
  /** Absent: as before */
  model?: string;
  /** Absent: as before; null: no agent */
  agentId?: string | null;
  /** With `agentId`: answer as this version of the agent. Absent: the newest */
  agentVersion?: number;
  stream?: boolean;
  /**
   * Which tool calls wait for a decision. `never` needs `tool:approve` and
   * `tool:administer`
   */
  approval?: "never" | "destructive" | "always";
}

export interface CoreSearchResult {
  items: {
    id: string;
    title: string;
    userId: string;
    agentId: string | null;
    tags: string[];
    pinned: boolean;
    /** Attached documents, from which its replies are made */
    documents: string[];
    createdAt: string;
    updatedAt: string;
    deletedAt?: string;
    /** HTML without markup but <mark> */
    snippet: string;
    score: number;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreSendEventAnsweredByData {
  /** Id of the available model that answered */
  model: string;
  /** Its name */
  name: string;
  /** Id of the model that was asked */
  insteadOf: string;
  /**
   * Why that one did not answer: the code of its failure, or `load_shared` where
   * this is the same model at another endpoint
   */
  code: string;
}

export interface CoreSendEventApprovalData {
  toolCallId: string;
  name: string;
  arguments: { [name: string]: unknown };
  /** The server of the tool */
  server?: string;
  /** To name the tool in `allowedTools` */
  fingerprint?: string;
  /**
   * Why a call of an allowed tool waits. `open_world`: the run has read what anybody
   * may have written; `label`: it has read what carries a label whose rule asks;
   * `sign_in`: its server wants the user's own account, to be connected before the
   * call is approved; `visit`: its server wants the user at an address first
   */
  because?: WaitsBecause;
  /** The name of the label that asks */
  label?: string;
  /** With `because: visit` */
  visit?: Visit;
}

export interface CoreSendEventCanvasData {
  canvasId: string;
  version: number;
}

export interface CoreSendEventConversationData {
  conversationId: string;
  userMessageId: string;
  messageId: string;
  /**
   * Of a reply that goes on after a decision: how many characters of its stored text
   * and reasoning come before those of the events that follow
   */
  earlier?: CoreSendEventConversationDataEarlier;
}

export interface CoreSendEventConversationDataEarlier {
  content: number;
  reasoning: number;
}

export interface CoreSendEventDoneData {
  content: string;
  finishReason: FinishReason;
  iterations: number;
  usage: Usage;
  answeredBy?: AnsweredBy;
  messageId: string;
}

export interface CoreSendEventErrorData {
  error: string;
  code: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
}

export interface CoreSendEventLabelsData {
  /** Further labels that the reply carries on */
  labels: CarriedLabel[];
}

export interface CoreSendEventResearchData {
  research: ResearchState;
}

export interface CoreSendEventSourcesData {
  /** Further passages that the reply may cite */
  sources: Source[];
  /** Why a search found none */
  notFound?: CoreNotFound;
}

export interface CoreSendEventTextDeltaData {
  delta: string;
}

export interface CoreSendEventTitleData {
  title: string;
}

export interface CoreSendEventToolCallData {
  toolCallId: string;
  name: string;
  arguments: { [name: string]: unknown };
  /**
   * The arguments as the model wrote them, when they are not a JSON object. Such a
   * call must not run
   */
  unreadable?: string;
  /**
   * What the provider wants back with the call, such as the signature of a thought.
   * It goes to the same model only. Send it as it came
   */
  state?: { [name: string]: unknown };
}

export interface CoreSendEventToolOutputData {
  toolCallId: string;
  /** What a call of code printed since; its result has all */
  output: string;
}

export interface CoreSendEventToolResultData {
  toolCallId: string;
  name: string;
  /** The result as text, which names its files */
  content: string;
  /** Files in the result, up to 10 */
  files?: ToolFile[];
  isError: boolean;
  durationMs: number;
  view?: ToolView;
  /** How much a tool of the platform found */
  figures?: ToolFigures;
}

export interface CoreSendEventWarningData {
  code: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
  message: string;
}

export interface CoreSendResult {
  conversationId: string;
  messageId: string;
  userMessageId: string;
  content: string;
  finishReason: string;
  usage: Usage;
  sources: StoredSource[];
  /** Why the documents had nothing for this reply */
  notFound?: CoreNotFound | null;
  /** What the reply was made without, such as a page that could not be read */
  warnings?: RunError[] | null;
  answeredBy?: AnsweredBy | null;
  toolCalls: ToolOutcome[];
  /** Calls that wait for a decision */
  waiting: ConversationMessageWaitingItem[];
  title: string;
}

export interface CoreSetViewContextRequest {
  server: string;
  /** The model reads it as data that somebody else wrote */
  content: string;
}

export interface CoreStopRequest {
  /** The reply. Absent: the newest in progress */
  messageId?: string;
}

export interface CoreStopResult {
  /** False: the reply had ended already */
  stopped: boolean;
  messageId: string;
}

export interface CoreTagsResult {
  items: {
    name: string;
    conversations: number;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreTemplatesByIdsRequest {
  ids: string[];
}

export interface CoreTestNewSearchEngineRequest {
  kind: EngineKind;
  /**
   * Must match the config schema of the kind. A key sent as ••• stays, if the
   * address stays
   */
  config: { [name: string]: unknown };
  /** A saved engine, whose keys replace those sent as ••• */
  id?: string;
  query?: string;
}

export interface CoreTestSearchEngineRequest {
  query?: string;
}

export interface CoreTextCompletionsResult {
  id: string;
  object: "text_completion";
  created: number;
  model: string;
  choices: {
    text: string;
    index: number;
    logprobs: { [name: string]: unknown } | null;
    finish_reason: string | null;
  }[];
  /** Absent where the provider says none */
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
  };
}

export interface CoreTrashResult {
  items: Conversation[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreUsableKindsResult {
  kinds: (
    | "completion"
    | "embedding"
    | "image"
    | "speech"
    | "transcription"
    | "moderation"
  )[];
}

export interface CoreUsageResult {
  items: {
    group: string;
    /**
     * Name of the user or agent; null for others, and for users outside the caller's
     * organisation
     */
    name: string | null;
    inputTokens: number;
    outputTokens: number;
    /** Of the input: what providers had in their caches */
    cachedInputTokens: number;
    /** Of the input: what providers put into their caches */
    cacheWriteInputTokens: number;
    /** Images that were made */
    images: number;
    /** Of recordings that were written down */
    seconds: number;
    /** Of what was spoken or judged */
    characters: number;
    requests: number;
    /** Cost of the replies whose model has a price; null if none has */
    cost: number | null;
    /** null if there are several */
    currency: string | null;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface CoreValidateAvailableModelsRequest {
  ids: string[];
}

export interface CoreValidateAvailableModelsResult {
  valid: boolean;
  results: {
    id: string;
    valid: boolean;
    reason?: "absent" | "disabled";
  }[];
}

export interface CustomCall {
  type: "custom_tool_call";
  id?: string | null;
  call_id: string;
  name: string;
  namespace?: string | null;
  input: string;
}

export interface Cut {
  method?: "lib_recursive" | "lib_text_splitter" | "semchunk" | "fixed_size";
  chunkSize?: number;
  /** Default: 15, less for a small chunkSize; 0 for semchunk */
  chunkOverlap?: number;
  unit?: "tokens" | "characters";
  /** Whether each chunk of a long table begins with its header, as in documents */
  tableHeads?: boolean;
  /** What form feeds separate. Default: pages, where the text has any */
  layout?: TextLayout;
}

export interface Decision {
  toolCallId: string;
  decision: "approve" | "deny";
  /** Replace the arguments that the model chose */
  arguments?: { [name: string]: unknown };
}

export interface DefaultParameters {
  topP?: number;
  stop?: string[];
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  reasoningEffort?: string;
  verbosity?: string;
  temperature?: number;
}

export interface DeletedUser {
  userId: string;
  /** Who receives the data; null: it is deleted */
  transferTo: string | null;
  recipientName: string | null;
  at: string;
  /** `failed` while the last attempt of a service has failed */
  state: "waiting" | "failed" | "done";
  parts: {
    service: string;
    state: "waiting" | "failed" | "done";
    /** How often it was tried, as far as it was reported */
    attempt: number;
    /** Why the last attempt failed */
    error: string | null;
    at: string;
  }[];
}

export type DocumentSort = "updatedAt" | "fileName" | "size" | "status";

export type DocumentStatus =
  | "UPLOADED"
  | "PARSING"
  | "PARSED"
  | "EMBEDDING"
  | "PROCESSED"
  | "FAILED";

export interface DocumentsAttachFileRequest {
  file_id: string;
  attributes?: Attributes | null;
  chunking_strategy?: DocumentsCreateStoreRequestChunkingStrategy | null;
}

export interface DocumentsChangeFolderRequest {
  name?: string;
  parentId?: string | null;
  settings?: DocumentsCreateFolderRequestSettings;
}

export interface DocumentsChangeRequest {
  fileName?: string;
  folderId?: string | null;
  /** Makes an attachment a document; so does a move into a folder */
  isAttachment?: false;
}

export interface DocumentsChangeStoreFileRequest {
  attributes: Attributes | null;
}

export interface DocumentsChangeStoreRequest {
  name?: string | null;
  metadata?: { [name: string]: string } | null;
  expires_after?: null;
}

export interface DocumentsChunksResult {
  items: StoredChunk[];
  page: number;
  limit: number;
  total: number;
}

export interface DocumentsCreateBatchRequest {
  file_ids?: string[] | null;
  files?: DocumentsAttachFileRequest[] | null;
  attributes?: Attributes | null;
  chunking_strategy?: DocumentsCreateStoreRequestChunkingStrategy | null;
}

export interface DocumentsCreateBatchResult {
  id: string;
  object: "vector_store.files_batch";
  created_at: number;
  vector_store_id: string;
  status: "in_progress" | "completed" | "cancelled";
  file_counts: VectorStoreFileCounts;
}

export interface DocumentsCreateFolderRequest {
  name: string;
  parentId?: string | null;
  settings?: DocumentsCreateFolderRequestSettings;
}

export interface DocumentsCreateFolderRequestSettings {
  parserMethod?: string;
  extractTables?: boolean;
  extractImages?: boolean;
  ocrEnabled?: boolean;
  ocrMode?: "auto" | "always" | "never";
  captionImages?: boolean;
  sendsPictures?: boolean;
  method?: "lib_recursive" | "lib_text_splitter" | "semchunk" | "fixed_size";
  /** In tokens */
  chunkSize?: number;
  /** In tokens */
  chunkOverlap?: number;
  translate?: boolean;
}

export interface DocumentsCreateStoreRequest {
  name?: string | null;
  description?: string | null;
  file_ids?: string[] | null;
  metadata?: { [name: string]: string } | null;
  chunking_strategy?: DocumentsCreateStoreRequestChunkingStrategy | null;
  expires_after?: null;
}

export interface DocumentsCreateStoreRequestChunkingStrategy {
  type: "auto";
}

export interface DocumentsDeleteFileResult {
  id: string;
  object: "file";
  deleted: true;
}

export interface DocumentsDeleteStoreResult {
  id: string;
  object: "vector_store.deleted";
  deleted: true;
}

export interface DocumentsDetachFileResult {
  id: string;
  object: "vector_store.file.deleted";
  deleted: true;
}

export interface DocumentsFolder {
  id: string;
  name: string;
  parentId: string | null;
  ownerId: string;
  /**
   * Apply to the files in the folder; a change applies to files that are processed
   * later
   */
  settings: ProcessingSettings;
  createdAt: string;
  updatedAt: string;
}

export interface DocumentsListFilesResult {
  object: "list";
  data: FileObject[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

export interface DocumentsListFoldersResult {
  items: {
    id: string;
    name: string;
    parentId: string | null;
    ownerId: string;
    /**
     * Apply to the files in the folder; a change applies to files that are processed
     * later
     */
    settings: ProcessingSettings;
    createdAt: string;
    updatedAt: string;
    /** Documents in it, without those in its folders; 1001: more */
    documentCount: number;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface DocumentsListResult {
  items: StoredDocument[];
  page: number;
  limit: number;
  total: number;
}

export interface DocumentsListStoreFilesResult {
  object: "list";
  data: StoreFile[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

export interface DocumentsListStoresResult {
  object: "list";
  data: VectorStore[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

export interface DocumentsPreviewChunksRequest {
  method?: "lib_recursive" | "lib_text_splitter" | "semchunk" | "fixed_size";
  /** In tokens */
  chunkSize?: number;
  /** In tokens */
  chunkOverlap?: number;
}

export interface DocumentsPreviewChunksResult {
  /** The first 100 */
  chunks: Chunk[];
  totalChunks: number;
  method: "lib_recursive" | "lib_text_splitter" | "semchunk" | "fixed_size";
}

export interface DocumentsReprocessRequest {
  from?: "parsing" | "embedding";
  /** Opens a protected PDF or Office file; it is never stored */
  password?: string;
}

export interface DocumentsRetryFailedRequest {
  folderId?: string;
}

export interface DocumentsSummaryResult {
  counts: {
    UPLOADED: number;
    PARSING: number;
    PARSED: number;
    EMBEDDING: number;
    PROCESSED: number;
    FAILED: number;
  };
  bytes: number;
  quotaBytes: number;
}

export interface DocumentsUploadFileRequest {
  purpose?: "assistants" | "user_data" | "vision";
  file: Blob;
}

export interface DocumentsUploadRequest {
  folderId?: string;
  /** Opens a protected PDF or Office file; it is never stored */
  password?: string;
  /**
   * `attachment`: for a message, not for your documents. It is listed and searched
   * only in the conversation that it is sent to, and deleted with it, or after 7
   * days without a message. Pictures that models see are not read
   */
  as?: "document" | "attachment";
  file: Blob;
}

export interface EmbeddingCancelModelChangeResult {
  model: string;
  dimensions: number;
  provider: string;
  /** Its entry in the catalogue; null: the environment names it, or it is built in */
  availableModelId: string | null;
  /** false: the environment does not name it, and the catalogue does not have it */
  reachable: boolean;
  /** The most texts of one `POST /embed` */
  maxBatchSize: number;
  local: boolean;
  /** Chunks whose text is too long for it: found by their words only */
  refused: number;
  /** The model that replaces it when all chunks are embedded */
  next: EmbeddingEmbedModelResultNext | null;
  /** The model that does not replace it */
  cancelled: string | null;
}

export type EmbeddingChooseModelRequest =
  | EmbeddingChooseModelRequestForm1
  | EmbeddingChooseModelRequestForm2
  | EmbeddingChooseModelRequestForm3;

export interface EmbeddingChooseModelRequestForm1 {
  source: "environment";
}

export interface EmbeddingChooseModelRequestForm2 {
  source: "built-in";
}

export interface EmbeddingChooseModelRequestForm3 {
  source: "catalogue";
  availableModelId: string;
}

export interface EmbeddingChooseModelResult {
  model: string;
  dimensions: number;
  provider: string;
  /** Its entry in the catalogue; null: the environment names it, or it is built in */
  availableModelId: string | null;
  /** false: the environment does not name it, and the catalogue does not have it */
  reachable: boolean;
  /** The most texts of one `POST /embed` */
  maxBatchSize: number;
  local: boolean;
  /** Chunks whose text is too long for it: found by their words only */
  refused: number;
  /** The model that replaces it when all chunks are embedded */
  next: EmbeddingEmbedModelResultNext | null;
  /** The name of the chosen model */
  chosen: string;
}

export interface EmbeddingChunkMethodsResult {
  methods: {
    key: "lib_recursive" | "lib_text_splitter" | "semchunk" | "fixed_size";
    name: string;
    description: string;
    parameters: {
      name: string;
      type: string;
      default: string | number;
      description: string;
    }[];
  }[];
  default: "lib_recursive" | "lib_text_splitter" | "semchunk" | "fixed_size";
}

export interface EmbeddingChunkRequestForm1 {
  text: string;
}

export interface EmbeddingChunkResult {
  chunks: Chunk[];
  method: "lib_recursive" | "lib_text_splitter" | "semchunk" | "fixed_size";
  totalChunks: number;
}

export interface EmbeddingEmbedModelResult {
  model: string;
  dimensions: number;
  provider: string;
  /** Its entry in the catalogue; null: the environment names it, or it is built in */
  availableModelId: string | null;
  /** false: the environment does not name it, and the catalogue does not have it */
  reachable: boolean;
  /** The most texts of one `POST /embed` */
  maxBatchSize: number;
  local: boolean;
  /** Chunks whose text is too long for it: found by their words only */
  refused: number;
  /** The model that replaces it when all chunks are embedded */
  next: EmbeddingEmbedModelResultNext | null;
}

export interface EmbeddingEmbedModelResultNext {
  model: string;
  dimensions: number;
  /** false: the environment does not name it, and the catalogue does not have it */
  reachable: boolean;
  embedded: number;
  /** Chunks whose text is too long for it */
  refused: number;
  chunks: number;
  /** Why its last attempt failed; it is repeated every 15 s */
  failure: RunError | null;
}

export interface EmbeddingEmbedRequest {
  texts: string[];
  inputType?: InputType;
}

export interface EmbeddingEmbedResult {
  embeddings: number[][];
  model: string;
  dimensions: number;
}

export interface EmbeddingEmbedSingleRequest {
  text: string;
  inputType?: InputType;
  /** For other services: the user whom it counts for */
  userId?: string;
}

export interface EmbeddingEmbedSingleResult {
  embedding: number[];
  model: string;
  dimensions: number;
}

export interface EmbeddingEmbedStatusResult {
  documentId: string;
  status: "pending" | "processing" | "completed" | "failed";
  chunks: number;
  embedded: number;
  model: string;
  dimensions: number;
  error?: ResponseViewError;
}

export interface EmbeddingModelCandidatesResult {
  items: {
    source: "environment" | "built-in" | "catalogue";
    /** Its entry in the catalogue */
    availableModelId: string | null;
    displayName: string;
    /** The provider's name of it */
    model: string;
    /** The kind of its provider */
    provider: string;
    /** The display name of its provider */
    providerName: string | null;
    /** null: a test finds them out */
    dimensions: number | null;
    use: "current" | "next" | null;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface EmbeddingOpenAiEmbeddingsRequest {
  model: string;
  input: string | string[] | number[] | number[][];
  encoding_format?: "float" | "base64" | null;
  /** Only the model's own number: its vectors are not shortened */
  dimensions?: number | null;
  /** For models that embed questions and passages differently; default passage */
  input_type?: InputType | null;
  user?: string | null;
}

export interface EmbeddingOpenAiEmbeddingsResult {
  object: "list";
  data: {
    object: "embedding";
    index: number;
    /** base64: little-endian 32-bit floats */
    embedding: number[] | string;
  }[];
  model: string;
  /** An estimate of four characters a token */
  usage: {
    prompt_tokens: number;
    total_tokens: number;
  };
}

export interface EmbeddingProcessRequestForm1 {
  documentId: string;
  /** Form feeds separate pages */
  text: string;
  fileName?: string;
  translate?: boolean;
  /** The offset of each page, instead of form feeds */
  pages?: number[];
}

export interface EmbeddingProcessResult {
  documentId: string;
  status: "completed";
  chunks: number;
  embedded: number;
  translated: number;
}

export interface EmbeddingTestModelResult {
  ok: boolean;
  model: string;
  /** Numbers in its vector */
  dimensions?: number;
  latencyMs: number;
  /** Chunks that it has to embed when it is chosen */
  chunks?: number;
  error?: AgentRunError;
}

export interface EmbeddingTranslateBatchRequest {
  texts: string[];
  sourceLanguage?: string;
}

export interface EmbeddingTranslateBatchResult {
  results: Translation[];
}

export interface EmbeddingTranslateRequest {
  text: string;
  sourceLanguage?: string;
}

export interface EmbeddingTranslationHealthResult {
  status: "ok" | "degraded" | "down";
  model: string | null;
  detail?: string;
}

export interface EngineChange {
  name?: string;
  enabled?: boolean;
  /**
   * Must match the config schema of the kind. A key sent as ••• stays, if the
   * address stays
   */
  config?: { [name: string]: unknown };
}

export type EngineKind =
  | "searxng"
  | "brave"
  | "tavily"
  | "exa"
  | "serper"
  | "google-pse"
  | "kagi"
  | "mojeek";

export interface EngineState {
  /** It is not asked until then, while another one answers */
  restsUntil?: string;
  /** Why it rests */
  problem?: AgentRunError;
  /** Searches that its quota has left, where it says so */
  remaining?: number;
}

export interface EngineTest {
  ok: boolean;
  latencyMs: number;
  error?: AgentRunError;
  /** The first of what was found */
  results: EngineTestResultsItem[];
}

export interface EngineTestResultsItem {
  title: string;
  url: string;
  snippet: string;
  publishedAt?: string;
}

export interface EnsuredTokens {
  provider: string;
  expiresAt: string;
  ensured: true;
}

export interface EvaluatedQuestion {
  query: string;
  /** What answers the question */
  expected: {
    documentId?: string;
    /** Name of the document; any document with this name counts */
    fileName?: string;
    /** Text of the document. A chunk answers that holds half of its words, in order */
    passage?: string;
  }[];
}

export interface EvaluationRequest {
  questions: EvaluatedQuestion[];
  /** Ways of retrieving that are compared */
  variants: {
    /**
     * Minimum cosine similarity. `naive`: of every result. `hybrid`: of results found
     * by vector. `default`: ignored; use `rerank.score`
     */
    grade?: number;
    /**
     * default: by vectors alone; it may miss names, numbers and rare words. hybrid: by
     * vectors and full text; of chunks that are nearly the same, the two best
     */
    engineName?: "default" | "naive" | "hybrid";
    similarityTopK?: number;
    /** Searches only these documents; an empty list finds nothing */
    docIds?: string[];
    rerank?: EvaluationRequestVariantsItemRerank;
    /** Names the variant in the figures */
    name: string;
  }[];
}

export interface EvaluationRequestVariantsItemRerank {
  enabled?: boolean;
  /** bge: the reranker at RERANKER_SERVICE_URL. llm: a language model */
  strategy?: "bge" | "llm";
  /** The most results. Default: all candidates */
  topK?: number;
  /** Minimum score of a result */
  score?: number;
}

export interface ExplainRequest {
  query: string;
  /**
   * Minimum cosine similarity. `naive`: of every result. `hybrid`: of results found
   * by vector. `default`: ignored; use `rerank.score`
   */
  grade: number;
  /** Number of candidates */
  similarityTopK?: number;
  documentId: string;
}

export interface ExplainedPermission {
  name: string;
  description: string;
  /** conditional: it depends on the request */
  allowed: "yes" | "no" | "conditional";
  grantedBy: ExplainedPermissionGrantedByItem[];
  /** A role that forbids overrules those that grant */
  forbiddenBy: ExplainedPermissionGrantedByItem[];
}

export interface ExplainedPermissionGrantedByItem {
  role: string;
  /** The role says so only of requests that meet them */
  conditions?: { [name: string]: unknown };
}

export interface Explanation {
  /** null without access */
  fileName: string | null;
  /** Status of the document; null without access */
  status: DocumentStatus | null;
  /** Cosine similarity of its nearest chunk; null where it has none */
  similarity: number | null;
  /** Whether a chunk has a word of the question */
  matchesWords: boolean;
  /** Its nearest chunk */
  passage: RetrieveResult | null;
  engines: {
    engineName: "default" | "naive" | "hybrid";
    /**
     * outranked: other chunks are better, or nearly the same. below_grade: no chunk
     * reaches `grade`. not_indexed: it was never PROCESSED. no_text: nothing in it can
     * be searched. no_access: it does not exist, or is not shared
     */
    reason: "found" | "outranked" | "below_grade" | "not_indexed" | "no_text" | "no_access";
    /** The place of its best chunk, from 1; null: not among the best candidates */
    rank: number | null;
  }[];
}

export interface FileObject {
  id: string;
  object: "file";
  bytes: number;
  created_at: number;
  filename: string;
  purpose: "assistants" | "user_data" | "vision";
  status: "uploaded" | "processed" | "error";
  /** Why it could not be processed */
  status_details?: string;
}

export interface FilePart {
  type: "file";
  /** A PDF or a recording, as it is. Models that take none are not asked */
  mediaType: string;
  data: string;
  name?: string;
}

export type FileType = "md" | "txt" | "html" | "docx" | "pdf" | "json";

export type FinishReason =
  | "stop"
  | "length"
  | "max_iterations"
  | "budget"
  | "cancelled"
  | "content_filter"
  | "approval";

export interface Flow {
  id: string;
  name: string;
  description: string;
  /** null if the provider does not return it */
  updatedAt: string | null;
  /** false: granted by an administrator */
  owned: boolean;
}

export interface FlowAccount {
  username: string;
  password: string;
  apiKey: string | null;
  userId: string;
  createdAt: string;
  updatedAt: string;
}

export interface FlowResult {
  flowId: string;
  sessionId: string;
  output: string;
  outputs: FlowResultOutputsItem[];
  durationMs: number;
}

export interface FlowResultOutputsItem {
  component: string;
  text?: string;
  data?: unknown;
}

export interface Folder {
  id: string;
  name: string;
  parentId: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface FunctionCall {
  type: "function_call";
  id?: string | null;
  call_id: string;
  name: string;
  namespace?: string | null;
  arguments: string;
}

export interface GivenToolServer {
  name: string;
  /** An address of the network, or `stdio:<name>` for a command of MCP_COMMANDS */
  url: string;
  /**
   * Sent with each request, such as a key; `{{user.id}}`, `{{user.email}}` and
   * `{{secret.<name>}}`, which each user fills in, differ from user to user
   */
  headers?: { [name: string]: string };
  /** For a server that signs users in (OAuth) */
  oauth?: GivenToolServerOauth;
  transport?: "streamable-http";
  enabled?: boolean;
  /**
   * Whether tools that it adds later are offered unasked, and its word counts that a
   * tool does not reach the open world; without it new tools wait for approval, and
   * labels judge calls of all its tools as calls to the outside
   */
  trusted?: boolean;
  /** Of its registration; ignored where it is sent */
  registeredAt?: string;
  /** Other names for its tools: `{theirName: ourName}` */
  rename?: { [name: string]: string };
  /** Tools that are not offered */
  hide?: string[];
  [name: string]: unknown;
}

export interface GivenToolServerOauth {
  /** Of a registration by hand; without it Parlance registers itself */
  clientId?: string;
  /** Of that registration; absent in a change: it stays */
  clientSecret?: string;
  /**
   * The only authorization server that the client may be used at; absent: the first
   * one that the server names
   */
  issuer?: string;
  /** Rights to ask for, in place of those that the server names */
  scopes?: string[];
  /**
   * `false`: register even where the server would read `/mcp/oauth/client.json`,
   * such as one that cannot reach this installation
   */
  useMetadataDocument?: boolean;
}

export interface Grant {
  userId: string;
  flowId: string;
}

export interface Group {
  name: string;
  description: string;
  /**
   * Name of the group at the identity provider: users whose claims list it are
   * members
   */
  externalName: string | null;
  roles: string[];
  id: string;
  createdAt: string;
  updatedAt: string;
}

export interface GroupChange {
  name?: string;
  description?: string;
  /**
   * Name of the group at the identity provider: users whose claims list it are
   * members
   */
  externalName?: string | null;
  /** Every member has these roles, members of nested groups too */
  roles?: string[];
}

export interface GroupGrant {
  groupId: string;
  flowId: string;
}

export interface ImagePart {
  type: "image";
  mediaType: string;
  data?: string;
  url?: string;
  /** How closely a model of OpenAI looks at it */
  detail?: "auto" | "low" | "high";
}

export interface Indexing {
  chunks: number;
  embedded: number;
  translated: number;
  model: string;
  dimensions: number;
}

export type InputType = "query" | "passage";

export interface IntegrationsAllHealthResult {
  status: "ok" | "degraded";
  providers: IntegrationsProviderHealth[];
}

export interface IntegrationsEnsureAccountResult {
  provider: string;
  username: string;
  created: boolean;
}

export interface IntegrationsFlowProviderHealthResult {
  provider: string;
  status: "up" | "down" | "refused";
  latencyMs: number;
  version?: string;
  reason?: string;
  code?: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
}

export interface IntegrationsGetFlowKeyResult {
  apiKey: string;
  createdAt: string;
  flows: string[];
}

export interface IntegrationsGetFlowResult {
  id: string;
  name: string;
  description: string;
  /** null if the provider does not return it */
  updatedAt: string | null;
  /** false: granted by an administrator */
  owned: boolean;
  data?: unknown;
}

export interface IntegrationsGrantFlowResult {
  apiKey: string;
  message: string;
}

export interface IntegrationsGrantFlowToGroupResult {
  /** Members who may run the flow now */
  members: number;
  /** Members who are disabled or deleted */
  refused: number;
}

export interface IntegrationsListFlowsResult {
  items: Flow[];
  page: number;
  limit: number;
  total: number;
}

export interface IntegrationsListGrantableFlowsResult {
  items: {
    id: string;
    name: string;
    description: string;
    /** null: a flow of the operator's account */
    ownerId: string | null;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface IntegrationsListPermissionsResult {
  items: {
    userId: string;
    flowId: string;
    /** As last seen at the provider */
    flowName: string;
    grantedBy: string;
    grantedAt: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface IntegrationsListProvidersResult {
  providers: string[];
}

export interface IntegrationsProviderHealth {
  provider: string;
  /** `refused`: it responds, but must not be used because of `reason` */
  status: "up" | "down" | "refused";
  latencyMs: number;
  version?: string;
  reason?: string;
  code?: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
}

export interface IntegrationsRefreshTokensResult {
  provider: string;
  expiresAt: string;
  /** false: signed in afresh */
  refreshed: boolean;
}

export type Item =
  | ItemForm1Message
  | FunctionCall
  | ItemForm1FunctionCallOutput
  | CustomCall
  | ItemForm1CustomToolCallOutput
  | ItemForm1Reasoning
  | ItemForm1FileSearchCall
  | ItemForm1ItemReference
  | ItemMessage;

export interface ItemForm1CustomToolCallOutput {
  type: "custom_tool_call_output";
  id?: string | null;
  call_id: string;
  output:
    | string
    | (
        | ItemForm1MessageContentForm2ItemForm1
        | ChatRequestMessagesItemContentForm2ItemRefusal
        | ItemForm1MessageContentForm2ItemInputImage
        | ItemForm1MessageContentForm2ItemInputFile
        | SoundPart
      )[];
}

export interface ItemForm1FileSearchCall {
  type: "file_search_call";
  id?: string | null;
  queries?: string[] | null;
  results?: unknown[] | null;
}

export interface ItemForm1FunctionCallOutput {
  type: "function_call_output";
  id?: string | null;
  call_id: string;
  output:
    | string
    | (
        | ItemForm1MessageContentForm2ItemForm1
        | ChatRequestMessagesItemContentForm2ItemRefusal
        | ItemForm1MessageContentForm2ItemInputImage
        | ItemForm1MessageContentForm2ItemInputFile
        | SoundPart
      )[];
}

export interface ItemForm1ItemReference {
  type: "item_reference";
  id: string;
}

export interface ItemForm1Message {
  type: "message";
  id?: string | null;
  role: "user" | "assistant" | "system" | "developer";
  content:
    | string
    | (
        | ItemForm1MessageContentForm2ItemForm1
        | ChatRequestMessagesItemContentForm2ItemRefusal
        | ItemForm1MessageContentForm2ItemInputImage
        | ItemForm1MessageContentForm2ItemInputFile
        | SoundPart
      )[];
}

export interface ItemForm1MessageContentForm2ItemForm1 {
  type: "input_text" | "output_text" | "text";
  text: string;
}

export interface ItemForm1MessageContentForm2ItemInputFile {
  type: "input_file";
  file_id?: string | null;
  /** In base64, or a data: URL */
  file_data?: string | null;
  /** Refused: send the file itself */
  file_url?: string | null;
  filename?: string | null;
}

export interface ItemForm1MessageContentForm2ItemInputImage {
  type: "input_image";
  image_url?: string | null;
}

export interface ItemForm1Reasoning {
  type: "reasoning";
  id?: string | null;
  summary: {
    type: string;
    text: string;
  }[];
  encrypted_content?: string | null;
}

export interface ItemMessage {
  type?: "message";
  id?: string | null;
  role: "user" | "assistant" | "system" | "developer";
  content:
    | string
    | (
        | ItemForm1MessageContentForm2ItemForm1
        | ChatRequestMessagesItemContentForm2ItemRefusal
        | ItemForm1MessageContentForm2ItemInputImage
        | ItemForm1MessageContentForm2ItemInputFile
        | SoundPart
      )[];
}

export type JobStatus = "queued" | "processing" | "completed" | "failed";

export interface Label {
  id: string;
  name: string;
  color: LabelColor;
  /** Names of the providers whose models may read it; null: all */
  providers: string[] | null;
  /**
   * Calls of tools that reach the open world, once a run has read it. With `ask`
   * they wait for a decision, as destructive calls do with `ask` and `refused`
   */
  openWorld: "allowed" | "ask" | "refused";
  /** Groups within which it may be shared; empty: with nobody; null: with anybody */
  sharing: string[] | null;
  description: string;
  /** Who may take it off what it was put on */
  removal: "owners" | "administrators";
  createdAt: string;
  updatedAt: string;
}

export interface LabelChange {
  /** Names of the providers whose models may read it; null: all */
  providers?: string[] | null;
  /**
   * Calls of tools that reach the open world, once a run has read it. With `ask`
   * they wait for a decision, as destructive calls do with `ask` and `refused`
   */
  openWorld?: "allowed" | "ask" | "refused";
  /** Groups within which it may be shared; empty: with nobody; null: with anybody */
  sharing?: string[] | null;
  name?: string;
  description?: string;
  color?: LabelColor;
  /** Who may take it off what it was put on */
  removal?: "owners" | "administrators";
}

export type LabelColor = "plain" | "blue" | "green" | "amber" | "red" | "violet";

export interface LabelOfResource {
  id: string;
  name: string;
  color: LabelColor;
  /** Names of the providers whose models may read it; null: all */
  providers: string[] | null;
  /**
   * Calls of tools that reach the open world, once a run has read it. With `ask`
   * they wait for a decision, as destructive calls do with `ask` and `refused`
   */
  openWorld: "allowed" | "ask" | "refused";
  /** Groups within which it may be shared; empty: with nobody; null: with anybody */
  sharing: string[] | null;
  description: string;
  /** Who may take it off what it was put on */
  removal: "owners" | "administrators";
  createdAt: string;
  updatedAt: string;
  /**
   * It was put on the resource, or on a folder above it; `carried`: it came with
   * what a run read
   */
  from: "own" | "folder" | "carried";
  /** Whether the caller may take it off the resource */
  removable: boolean;
}

export interface Link {
  enabled: boolean;
  accessLevel: "viewer" | "commenter" | "editor";
  expiresAt: string | null;
  /** null: everybody in the organisation who has the link */
  allowedUsers: string[] | null;
}

export interface LinkSettings {
  enabled: boolean;
  accessLevel?: "viewer" | "commenter" | "editor";
  expiresAt?: string | null;
  /** Absent or null: everybody in the organisation; empty: nobody */
  allowedUsers?: string[] | null;
}

export interface ListedDefinition {
  name: string;
  description: string;
  type: AgentType;
  /** Left out of a page of agents that are too long for one answer */
  instructions?: string;
  /** null: the default model */
  model: string | null;
  /** Left out of a page of agents that are too long for one answer */
  tools?: string[];
  /** For `workflow`: the flow that it runs */
  flowId: string | null;
  /** Left out of a page of agents that are too long for one answer */
  retrieval?: AgentRetrieval | null;
  temperature: number | null;
  /**
   * For each turn of its model. One that a provider's protocol has no place for
   * fails the reply by name
   */
  parameters: ModelParameters;
  /** Which tool calls wait for a decision, where the message does not ask for more */
  approval: "destructive" | "always";
  /** Questions to begin with */
  starters: string[];
  icon: string | null;
}

export interface LoadSharing {
  /**
   * Conversations are spread by weight, or each begins where the fewest requests run
   * for the weight. Each stays where it began, while that answers
   */
  by: "weight" | "least_busy";
  /** One of weight 2 gets twice as much as one of weight 1 */
  weight: number;
  /** Those of its fallbacks that are the same model elsewhere */
  with: LoadSharingWithItem[];
}

export interface LoadSharingWithItem {
  id: string;
  /** One of weight 2 gets twice as much as one of weight 1 */
  weight: number;
}

export interface Lock {
  featureId: string;
  userId: string;
  /** Increases with every new lock of the resource, so a smaller token is outdated */
  token: number;
  acquiredAt: string;
  expiresAt: string;
}

export type MaxResults = number | null;

export interface Medium {
  /** MIME type, such as audio/mpeg, or a type of your own */
  type?: string;
  /** MIME type of the bytes, if `type` is a type of your own */
  mimeType?: string;
  filename?: string;
  origin?: string;
  /** Its path at its origin */
  path?: string;
  tags?: string[];
  /** Origin patterns also match each entry as `key=value` */
  metadata?: { [name: string]: string };
}

export interface MediumFacts {
  filename: string;
  /** Detected from the bytes */
  mimeType: string;
  size: number;
  sha256: string;
  path: string | null;
  tags: string[];
  metadata: { [name: string]: string };
}

export interface MembershipSource {
  groupId: string;
  /** The group that the user is in: this one, or one nested in it */
  groupName: string;
  kind: "added" | "identity-provider";
}

export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  /** Of a participant; for providers that speak OpenAI's protocol */
  name?: string;
  content: string | (CoreAnthropicMessageResultContentItemText | ImagePart | FilePart)[];
  /** On a tool message: the id of the call that it answers */
  toolCallId?: string;
  /** On an assistant message: the calls of the assistant */
  toolCalls?: ToolCall[];
}

export interface MessagesRequest {
  /** A model's id, or an agent's: `agent:<id>` */
  model: string;
  messages: MessagesRequestMessagesItem[];
  system?: string | CoreAnthropicMessageResultContentItemText[] | null;
  tools?: (MessagesRequestToolsItemForm1 | MessagesRequestToolsItemForm2)[] | null;
  tool_choice?:
    | MessagesRequestToolChoiceAuto
    | MessagesRequestToolChoiceAny
    | MessagesRequestToolChoiceTool
    | MessagesRequestToolChoiceNone
    | null;
  output_config?: MessagesRequestOutputConfig | null;
  mcp_servers?: never[] | null;
  max_tokens: number;
  stream?: boolean | null;
  temperature?: number | null;
  top_p?: number | null;
  top_k?: null;
  stop_sequences?: string[] | null;
  container?: null;
}

export interface MessagesRequestMessagesItem {
  role: "user" | "assistant" | "system";
  content:
    | string
    | (
        | CoreAnthropicMessageResultContentItemText
        | MessagesRequestMessagesItemContentForm2ItemImage
        | MessagesRequestMessagesItemContentForm2ItemDocument
        | MessagesRequestMessagesItemContentForm2ItemSearchResult
        | MessagesRequestMessagesItemContentForm2ItemThinking
        | CoreAnthropicMessageResultContentItemRedactedThinking
        | CoreAnthropicMessageResultContentItemToolUse
        | MessagesRequestMessagesItemContentForm2ItemToolResult
      )[];
}

export interface MessagesRequestMessagesItemContentForm2ItemDocument {
  type: "document";
  title?: string | null;
  context?: string | null;
  source:
    | MessagesRequestMessagesItemContentForm2ItemDocumentSourceText
    | MessagesRequestMessagesItemContentForm2ItemDocumentSourceContent
    | MessagesRequestMessagesItemContentForm2ItemImageSourceBase64
    | MessagesRequestMessagesItemContentForm2ItemImageSourceUrl
    | MessagesRequestMessagesItemContentForm2ItemDocumentSourceFile;
}

export interface MessagesRequestMessagesItemContentForm2ItemDocumentSourceContent {
  type: "content";
  content:
    | string
    | (
        | CoreAnthropicMessageResultContentItemText
        | MessagesRequestMessagesItemContentForm2ItemImage
      )[];
}

export interface MessagesRequestMessagesItemContentForm2ItemDocumentSourceFile {
  type: "file";
  file_id: string;
}

export interface MessagesRequestMessagesItemContentForm2ItemDocumentSourceText {
  type: "text";
  data: string;
}

export interface MessagesRequestMessagesItemContentForm2ItemImage {
  type: "image";
  source:
    | MessagesRequestMessagesItemContentForm2ItemImageSourceBase64
    | MessagesRequestMessagesItemContentForm2ItemImageSourceUrl;
}

export interface MessagesRequestMessagesItemContentForm2ItemImageSourceBase64 {
  type: "base64";
  media_type: string;
  data: string;
}

export interface MessagesRequestMessagesItemContentForm2ItemImageSourceUrl {
  type: "url";
  url: string;
}

export interface MessagesRequestMessagesItemContentForm2ItemSearchResult {
  type: "search_result";
  source: string;
  title: string;
  content: CoreAnthropicMessageResultContentItemText[];
}

export interface MessagesRequestMessagesItemContentForm2ItemThinking {
  type: "thinking";
  thinking: string;
  signature?: string | null;
}

export interface MessagesRequestMessagesItemContentForm2ItemToolResult {
  type: "tool_result";
  tool_use_id: string;
  content?:
    | string
    | (
        | CoreAnthropicMessageResultContentItemText
        | MessagesRequestMessagesItemContentForm2ItemImage
        | MessagesRequestMessagesItemContentForm2ItemDocument
        | MessagesRequestMessagesItemContentForm2ItemSearchResult
      )[]
    | null;
  is_error?: boolean | null;
}

export interface MessagesRequestOutputConfig {
  format?: MessagesRequestOutputConfigFormat | null;
}

export interface MessagesRequestOutputConfigFormat {
  type: "json_schema";
  schema: { [name: string]: unknown };
}

export interface MessagesRequestToolChoiceAny {
  type: "any";
  disable_parallel_tool_use?: boolean | null;
}

export interface MessagesRequestToolChoiceAuto {
  type: "auto";
  disable_parallel_tool_use?: boolean | null;
}

export interface MessagesRequestToolChoiceNone {
  type: "none";
}

export interface MessagesRequestToolChoiceTool {
  type: "tool";
  name: string;
  disable_parallel_tool_use?: boolean | null;
}

export interface MessagesRequestToolsItemForm1 {
  type?: "custom" | null;
  name: string;
  description?: string | null;
  input_schema: { [name: string]: unknown };
}

export interface MessagesRequestToolsItemForm2 {
  type: string;
  name?: string | null;
}

export type Metadata = { [name: string]: string };

export interface ModelChange {
  name?: string;
  contextWindow?: number | null;
  maxOutputTokens?: number | null;
  dimensions?: number | null;
  queryPrefix?: string | null;
  passagePrefix?: string | null;
  capabilities?: {
    tools?: boolean;
    /** null: not known, so that images are sent to it */
    vision?: boolean | null;
    reasoning?: boolean;
    /** null: what its name says */
    documents?: boolean | null;
    /** null: what its name says */
    audio?: boolean | null;
  };
  enabled?: boolean;
}

export interface ModelEntry {
  id: string;
  name: string;
  kind: "completion" | "embedding" | "image" | "speech" | "transcription" | "moderation";
  contextWindow?: number;
  maxOutputTokens?: number;
  dimensions?: number;
  /** Absent: what the name of the model says */
  queryPrefix?: string;
  /** Absent: what the name of the model says */
  passagePrefix?: string;
  capabilities: ModelEntryCapabilities;
  enabled: boolean;
}

export interface ModelEntryCapabilities {
  tools: boolean;
  vision: boolean;
  reasoning: boolean;
  /** Whether it reads PDFs as they are; absent: what its name says */
  documents?: boolean;
  /** Whether it hears recordings; absent: what its name says */
  audio?: boolean;
  /** Neither its provider nor a person said whether it has `vision` */
  visionAssumed?: boolean;
}

export interface ModelParameters {
  topP?: number;
  stop?: string[];
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  reasoningEffort?: string;
  verbosity?: string;
}

export interface ModelsProviders {
  providers: ProviderEntry[];
  models: ModelEntry[];
  availableModels: AvailableModelEntry[];
}

export interface NamedLabel {
  id: string;
  name: string;
  color: LabelColor;
}

export interface NamedResource {
  /** `source`: the folder or document with this id */
  resourceType: "conversation" | "folder" | "document" | "agent" | "template" | "source";
  resourceId: string;
}

export interface NewAgent {
  name: string;
  description?: string;
  type?: AgentType;
  instructions?: string;
  /** null: the default model */
  model?: string | null;
  /** Names of tools, or `toolset:name` for all of one, also those added later */
  tools?: string[];
  /** For `workflow`: the flow that it runs */
  flowId?: string | null;
  /**
   * How it looks for passages; what is not `cortex` answers from documents as well
   * where this is given
   */
  retrieval?: NewAgentRetrieval | null;
  temperature?: number | null;
  /**
   * For each turn of its model. One that a provider's protocol has no place for
   * fails the reply by name
   */
  parameters?: NewAgentParameters;
  /** Which tool calls wait for a decision, where the message does not ask for more */
  approval?: "destructive" | "always";
  /** Questions to begin with */
  starters?: string[];
  icon?: string | null;
  files?: string[];
  folderId?: string | null;
}

export interface NewAgentParameters {
  topP?: number;
  stop?: string[];
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  reasoningEffort?: string;
  verbosity?: string;
}

export interface NewAgentRetrieval {
  topK?: number;
  /** Least similarity of a passage */
  grade?: number;
  rerank?: NewAgentRetrievalRerank;
  /**
   * Passages are looked for before the model is asked (any model can that), by the
   * model with a tool, or both
   */
  mode?: "step" | "tool" | "both";
  /**
   * Documents to answer from, besides the agent's files; empty: all that the asker
   * may see
   */
  docIds?: string[];
}

export interface NewAgentRetrievalRerank {
  enabled: boolean;
  strategy?: "bge" | "llm";
  /** Passages kept. Default: all */
  topK?: number;
  /** Least score of a passage that is kept */
  score?: number;
}

export interface NewAvailableModel {
  /** Default: a new id */
  id?: string;
  modelId: string;
  providerName: string;
  providerModelId: string;
  /** Default: the name of the model */
  displayName?: string;
  enabled?: boolean;
  pricing?: NewAvailableModelPricing;
  /** The entry at this position and all after it move one position down */
  position?: number;
  /**
   * Ids of available models that answer in its place, in this order, when it fails
   * before its first token
   */
  fallbacks?: string[];
  /** Absent: its fallbacks answer only when it fails */
  loadSharing?: NewAvailableModelLoadSharing;
  /** What holds where neither a request nor its agent says it */
  parameters?: NewAvailableModelParameters;
}

export interface NewAvailableModelLoadSharing {
  /**
   * Conversations are spread by weight, or each begins where the fewest requests run
   * for the weight. Each stays where it began, while that answers
   */
  by: "weight" | "least_busy";
  /** One of weight 2 gets twice as much as one of weight 1 */
  weight?: number;
  with: NewAvailableModelLoadSharingWithItem[];
}

export interface NewAvailableModelLoadSharingWithItem {
  id: string;
  /** One of weight 2 gets twice as much as one of weight 1 */
  weight?: number;
}

export interface NewAvailableModelParameters {
  topP?: number;
  stop?: string[];
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  reasoningEffort?: string;
  verbosity?: string;
  temperature?: number;
}

export interface NewAvailableModelPricing {
  /** Price of a million input tokens */
  inputPerMillion: number;
  /** Price of a million output tokens */
  outputPerMillion: number;
  /** Of input that the provider had in its cache; absent: as of other input */
  cachedInputPerMillion?: number;
  /** Of input that the provider puts into its cache; absent: as of other input */
  cacheWriteInputPerMillion?: number;
  /** Of each image that is made */
  perImage?: number;
  /** Of each minute of a recording */
  perMinute?: number;
  /** Of a million characters that are spoken or judged */
  perMillionCharacters?: number;
  currency?: string;
}

export interface NewBudget {
  name: string;
  /** `run`: a single reply with its tool calls */
  subjectType: "user" | "group" | "agent" | "run";
  /**
   * `*`: every user or agent separately; for `run`: the agent that replies, or `*`
   * for any
   */
  subjectId: string;
  /** For a group: one amount for all members, or this amount for each */
  share?: "pool" | "each";
  /** `money`: in the currency of the models' prices */
  unit: "tokens" | "money";
  amount: number;
  /** In UTC; weeks start on Monday. Ignored for `run` */
  period: "day" | "week" | "month" | "total";
  /** The share of the amount from which users are warned */
  warnAt?: number;
  enabled?: boolean;
}

export interface NewCanvas {
  conversationId?: string | null;
  title: string;
  type?: "markdown" | "code" | "html";
  /** The programming language of a canvas of the type `code` */
  language?: string | null;
  content: string;
}

export interface NewConversion {
  type: "grammar" | "translation" | "summarisation";
  text: string;
  /** Language of the result, such as German or de */
  targetLanguage?: string;
  options?: {
    /** Such as formal or friendly */
    tone?: string;
    /** Length of a summary */
    length?: "short" | "medium" | "long";
  };
  model?: string;
  stream?: boolean;
}

export interface NewEngine {
  kind: EngineKind;
  /** Default: the name of the kind */
  name?: string;
  enabled?: boolean;
  /**
   * Must match the config schema of the kind. A key sent as ••• stays, if the
   * address stays
   */
  config: { [name: string]: unknown };
}

export interface NewFlow {
  name: string;
  description?: string;
  /** As the provider exports it: nodes and edges */
  data?: {
    nodes: unknown[];
    edges: unknown[];
    [name: string]: unknown;
  };
}

export interface NewGroup {
  name: string;
  description?: string;
  /**
   * Name of the group at the identity provider: users whose claims list it are
   * members
   */
  externalName?: string | null;
  /** Every member has these roles, members of nested groups too */
  roles?: string[];
}

export interface NewLabel {
  /** Names of the providers whose models may read it; null: all */
  providers?: string[] | null;
  /**
   * Calls of tools that reach the open world, once a run has read it. With `ask`
   * they wait for a decision, as destructive calls do with `ask` and `refused`
   */
  openWorld?: "allowed" | "ask" | "refused";
  /** Groups within which it may be shared; empty: with nobody; null: with anybody */
  sharing?: string[] | null;
  name: string;
  description?: string;
  color?: LabelColor;
  /** Who may take it off what it was put on */
  removal?: "owners" | "administrators";
}

export interface NewModel {
  /** Default: a new id */
  id?: string;
  name: string;
  kind: "completion" | "embedding" | "image" | "speech" | "transcription" | "moderation";
  /** Tokens */
  contextWindow?: number;
  maxOutputTokens?: number;
  /** Dimensions of its embeddings */
  dimensions?: number;
  /** What an embedding model wants before a question; default: by its name */
  queryPrefix?: string;
  /** The same before a passage; counts for texts that are embedded later */
  passagePrefix?: string;
  capabilities?: {
    tools?: boolean;
    /**
     * Whether it reads images. Absent or null: not known, so that images are sent to
     * it
     */
    vision?: boolean | null;
    reasoning?: boolean;
    /** Whether it reads PDFs as they are; absent: what its name says */
    documents?: boolean;
    /** Whether it hears recordings; absent: what its name says */
    audio?: boolean;
    /** Neither its provider nor a person said whether it has `vision` */
    visionAssumed?: boolean;
  };
  enabled?: boolean;
}

export interface NewProvider {
  name: string;
  displayName?: string;
  kind:
    | "openai"
    | "anthropic"
    | "google"
    | "mistral"
    | "openai-compatible"
    | "azure"
    | "bedrock"
    | "ollama";
  enabled?: boolean;
  /** Must match the config schema of the kind */
  config?: { [name: string]: unknown };
}

export interface NewReaction {
  reaction: "like" | "dislike" | null;
  /** What was wrong with the answer; only with a dislike */
  reasons?: (
    | "wrong"
    | "incomplete"
    | "not_my_documents"
    | "not_followed"
    | "too_long"
    | "unsafe"
  )[];
  comment?: string | null;
}

export interface NewRole {
  description?: string;
  permissions?: NewRolePermissionsItem[];
  name: string;
}

export interface NewRolePermissionsItem {
  /** The verb of a permission; manage: every verb but administer */
  action:
    | "read"
    | "update"
    | "export"
    | "create"
    | "delete"
    | "use"
    | "administer"
    | "run"
    | "search"
    | "process"
    | "approve"
    | "manage";
  /** The resource of a permission, or all */
  subject:
    | "account"
    | "agent"
    | "audit"
    | "automation"
    | "branding"
    | "budget"
    | "canvas"
    | "conversation"
    | "conversion"
    | "directory"
    | "code"
    | "document"
    | "flow"
    | "group"
    | "image"
    | "label"
    | "lock"
    | "mark"
    | "model"
    | "queue"
    | "role"
    | "share"
    | "template"
    | "tool"
    | "usage"
    | "web"
    | "user"
    | "all";
  /**
   * On fields of the request, as a MongoDB query: {"model": {"$in":
   * ["openai/gpt-5"]}}
   */
  conditions?: {
    [name: string]:
      | string
      | number
      | boolean
      | { [name: string]: string | number | boolean | (string | number | boolean)[] };
  };
  /** Forbids what another permission allows */
  inverted?: boolean;
}

export interface NewRule {
  name: string;
  /** `audio`, `audio/mpeg`, `mp3`, `audio/*`, `*`, or a comma-separated list of these */
  type: TypePattern;
  /**
   * Literal, or with `?` (one character), `*` (any text without a slash) and `**`
   * (any text), or a comma-separated list of these
   */
  origin?: TypePattern;
  agents: (string | ScheduleAgentsItemForm2)[];
  is_active?: boolean;
  /**
   * Default: `client` for users with the permission automation:administer, else
   * `personal`
   */
  scope?: RuleScope;
}

export interface NewSchedule {
  name: string;
  /** Minute, hour, day of month, month, day of week: `0 9 * * 1-5` */
  cron: string;
  /** IANA name, such as Europe/Berlin */
  timeZone?: string;
  /** What the agents receive as the transcript */
  input: string;
  agents: (string | ScheduleAgentsItemForm2)[];
  isActive?: boolean;
}

export type NewSource = NewSourceFolder | NewSourceS3 | NewSourceWebhook;

export interface NewSourceFolder {
  name: string;
  /** Origin of its media. Default: `<kind>/<name>` */
  origin?: string;
  /** A type of its media, in addition to those of the bytes and the file name */
  type?: string | null;
  tags?: string[];
  isActive?: boolean;
  kind: "folder";
  settings: {
    /** A folder inside AUTOMATION_FOLDERS */
    path: string;
    /** Seconds between two checks */
    every?: number;
  };
}

export interface NewSourceS3 {
  name: string;
  /** Origin of its media. Default: `<kind>/<name>` */
  origin?: string;
  /** A type of its media, in addition to those of the bytes and the file name */
  type?: string | null;
  tags?: string[];
  isActive?: boolean;
  kind: "s3";
  settings: {
    /** For example https://s3.eu-central-1.amazonaws.com */
    endpoint: string;
    region?: string;
    bucket: string;
    prefix?: string;
    accessKeyId: string;
    /** Seconds between two checks */
    every?: number;
    secretAccessKey: string;
  };
}

export interface NewSourceWebhook {
  name: string;
  /** Origin of its media. Default: `<kind>/<name>` */
  origin?: string;
  /** A type of its media, in addition to those of the bytes and the file name */
  type?: string | null;
  tags?: string[];
  isActive?: boolean;
  kind: "webhook";
}

export interface NewTemplate {
  name: string;
  description?: string;
  /** Each {{variable}} is a gap */
  content: string;
  variables?: NewTemplateVariablesItem[];
  language?: string;
  enabled?: boolean;
  /** Default: `organization` for administrators of the installation, else `personal` */
  scope?: "organization" | "personal";
}

export interface NewTemplateVariablesItem {
  name: string;
  label: string;
  default?: string | null;
  required?: boolean;
}

export interface NewUser {
  email: string;
  password?: string;
  name: string;
  roles?: string[];
  /**
   * Tenant of the new user; only administrators of the installation may name another
   * tenant
   */
  clientId?: string;
}

export type NotFoundReason =
  | "below_threshold"
  | "not_processed"
  | "not_available"
  | "no_documents";

export interface NothingFound {
  /**
   * below_threshold: no chunk reaches `grade` or `rerank.score`, or has a word of
   * the question. not_processed: no document of the search has been processed.
   * not_available: the named documents do not exist, or are not shared.
   * no_documents: there is nothing to search
   */
  reason: NotFoundReason;
  /** Documents of the search that cannot be searched yet, or failed; 5 at most */
  waiting: {
    documentId: string;
    fileName: string;
    status: DocumentStatus;
  }[];
  /** How many these are */
  waitingCount: number;
  /** How many of `docIds` do not exist, or are not shared */
  unavailable: number;
  /** The nearest chunks below the threshold, 3 at most */
  nearest: RetrieveResult[];
}

export interface OriginalPage {
  /** How many the file has */
  pages: number;
  /** Of the page as it is drawn, in points */
  width: number;
  height: number;
  /** Where its words stand, in shares of the page: at most 8,000, none of a scan */
  words: PageWord[];
}

export interface PageWord {
  text: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface ParseError {
  code: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
  message: string;
  trace?: StoredDocumentErrorTraceItem[];
}

export interface ParseMetadata {
  /** How many parts form feeds separate: pages, slides, sheets, chapters */
  pages: number;
  layout?: TextLayout;
  title?: string;
  author?: string;
  language?: string;
  parserMethod: string;
  fallbacks: ParseMetadataFallbacksItem[];
  warnings: string[];
  durationMs: number;
  trace: StoredDocumentErrorTraceItem[];
}

export interface ParseMetadataFallbacksItem {
  backend: string;
  error: string;
}

export interface ParseResult {
  /** Form feeds separate pages */
  markdown: string;
  metadata: ParseResultMetadata;
  tables?: ParsedTable[];
  images?: ParsedImage[];
}

export interface ParseResultMetadata {
  /** How many parts form feeds separate: pages, slides, sheets, chapters */
  pages: number;
  layout?: TextLayout;
  title?: string;
  author?: string;
  language?: string;
  parserMethod: string;
  fallbacks: ParseMetadataFallbacksItem[];
  warnings: string[];
  durationMs: number;
  trace: StoredDocumentErrorTraceItem[];
  fileName: string;
  mimeType: string;
}

export interface ParsedImage {
  page: number;
  name: string;
  mimeType: string;
  data: string;
  caption?: string;
}

export interface ParsedTable {
  page: number;
  rows: string[][];
}

export interface ParserParseAsyncResult {
  job_id: string;
  status: JobStatus;
}

export interface ParserParseStatusResult {
  job_id: string;
  status: JobStatus;
  progress: number;
  file_name: string;
  document_id?: string;
  created_at: string;
  updated_at: string;
  result?: ParseResult;
  error?: ParseError;
}

export interface ParserParserHealthResult {
  status: Status;
  backends: { [name: string]: Part };
}

export interface ParserParserInfoResult {
  default:
    | "document_intelligence"
    | "pdf_fallback"
    | "optional_parser_one"
    | "optional_parser_two"
    | "local";
  /** In the order in which they are tried */
  backends: {
    key: string;
    name: string;
    available: boolean;
    /** Why it is not available */
    reason?: string;
    code?: string;
    /** The values in the sentence */
    params?: { [name: string]: string | number };
    files: string[];
  }[];
  ocr: ParserParserInfoResultOcrItem[];
  captions: ParserParserInfoResultOcrItem;
  formats: string[];
  limits: {
    maxBytes: number;
    memoryBytes: number;
    memoryLimit: "cgroup" | "watchdog";
    isolation: {
      kind: "bubblewrap" | "namespaces" | "own-user" | "none";
      holds: ("files" | "network" | "processes" | "user")[];
      lacks: ("files" | "network" | "processes" | "user")[];
    };
    /** For one process that parses a small file */
    timeLimitMs: number;
    /** For all steps of one file */
    jobTimeLimitMs: number;
    processes: number;
    parsesPerMinute: number;
    jobsPerMinute: number;
  };
  device: "cuda" | "mps" | "cpu";
}

export interface ParserParserInfoResultOcrItem {
  key: string;
  name: string;
  available: boolean;
  /** Why it is not available */
  reason?: string;
  code?: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
}

export type ParserProbeDetailedResult =
  | ParserProbeDetailedResultForm1
  | ServerHealthResultForm2;

export interface ParserProbeDetailedResultForm1 {
  status: Status;
  checks: { [name: string]: Part };
  backends: { [name: string]: Part };
  processes: {
    most: number;
    started: number;
    busy: number;
    waiting: number;
  };
}

export type ParserProbeReadinessResult =
  | ParserProbeReadinessResultForm1
  | ServerHealthResultForm2;

export interface ParserProbeReadinessResultForm1 {
  status: Status;
  checks: { [name: string]: Part };
}

export interface ParserProcessDocumentResult {
  fileName: string;
  mimeType: string;
  pages: number;
  device: "cuda" | "mps" | "cpu";
  chunks: ParserProcessDocumentResultChunksItem[];
  totalChunks: number;
}

export interface ParserProcessDocumentResultChunksItem {
  index: number;
  text: string;
  tokenCount: number;
  /** Absent where the file does not say its pages */
  pageNumber?: number;
  place: Place;
  headings: string[];
}

export interface Part {
  status: "ok" | "degraded" | "down" | "absent";
  latencyMs?: number;
  detail?: string;
  code?: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
}

export interface Place {
  /** section: of a file that does not say its pages */
  kind: "page" | "slide" | "sheet" | "chapter" | "section";
  /** Which part of the document's text, from 1; form feeds separate them */
  part: number;
  /** Of a sheet; else the headings of its sections, such as: Tea › Green, Black */
  name: string | null;
  /** Of a sheet, numbered as its program shows them */
  rows?: PlaceRows;
}

export interface PlaceRows {
  first: number;
  last: number;
}

export interface PlatformTools {
  sessionId: string;
  tools: {
    name: string;
    description: string;
    inputSchema: { [name: string]: unknown };
    server: string;
    annotations?: {
      title?: string;
      readOnlyHint?: boolean;
      destructiveHint?: boolean;
      [name: string]: unknown;
    };
    title?: string;
    outputSchema?: { [name: string]: unknown };
    /** `additive`: it changes something and destroys nothing */
    effect?: ToolEffect;
    /**
     * `server`: by its annotations; `default`: it has none, so it counts as
     * destructive
     */
    effectBy?: "administrator" | "server" | "default";
    fingerprint?: string;
    /** The view that shows its results (`ui://`) */
    view?: string;
  }[];
}

export interface PreviewedMedium {
  /** The run that received it; null for media of the request */
  runId: string | null;
  filename: string;
  mimeType: string;
  origin: string;
  path: string | null;
  tags: string[];
  receivedAt: string | null;
  /** Whether both patterns match */
  fits: boolean;
  /** What the type pattern names; null if it does not match */
  typeMatch: TypeMatch | null;
  /** The origin pattern that matches; null if none does */
  originMatch: string | null;
  /** `own_output`: agents of this rule produced it, so the rule does not match it */
  outcome: "this_rule" | "other_rule" | "own_output" | "no_rule";
  /** The other rule that gets it, because it is more specific or the only match */
  rule: {
    id: number;
    name: string;
  } | null;
}

export interface Pricing {
  /** Price of a million input tokens */
  inputPerMillion: number;
  /** Price of a million output tokens */
  outputPerMillion: number;
  /** Of input that the provider had in its cache; absent: as of other input */
  cachedInputPerMillion?: number;
  /** Of input that the provider puts into its cache; absent: as of other input */
  cacheWriteInputPerMillion?: number;
  /** Of each image that is made */
  perImage?: number;
  /** Of each minute of a recording */
  perMinute?: number;
  /** Of a million characters that are spoken or judged */
  perMillionCharacters?: number;
  currency: string;
}

export interface ProcessingSettings {
  parserMethod?: string;
  extractTables?: boolean;
  extractImages?: boolean;
  ocrEnabled?: boolean;
  ocrMode?: "auto" | "always" | "never";
  captionImages?: boolean;
  sendsPictures?: boolean;
  method?: "lib_recursive" | "lib_text_splitter" | "semchunk" | "fixed_size";
  /** In tokens */
  chunkSize?: number;
  /** In tokens */
  chunkOverlap?: number;
  translate?: boolean;
}

export interface Provider {
  name: string;
  displayName: string;
  kind: ProviderKind;
  enabled: boolean;
  /** Secrets read as •••; empty for users who are not administrators */
  config: { [name: string]: unknown };
  /** false: its key is no longer in the environment */
  available: boolean;
  fromEnvironment: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface ProviderChange {
  displayName?: string;
  enabled?: boolean;
  /** The whole config. A secret sent as ••• stays, if the address stays */
  config?: { [name: string]: unknown };
}

export interface ProviderEntry {
  name: string;
  displayName: string;
  kind: ProviderKind;
  enabled: boolean;
  config: { [name: string]: unknown };
}

export interface ProviderHealth {
  name: string;
  /** 24, the earliest first; the last one is not over */
  hours: {
    startsAt: string;
    /** All, with those that failed */
    calls: number;
    /** Of the calls those that failed, by how */
    failures: {
      how: "rate_limited" | "unreachable" | "refused" | "timed_out" | "failed";
      calls: number;
    }[];
    /** Until the first token of a reply, on average; null without a reply */
    firstTokenMs: number | null;
  }[];
  lastAnswerAt: string | null;
  lastFailure: {
    error: string;
    code: string;
    /** The values in the sentence */
    params?: { [name: string]: string | number };
    at: string;
  } | null;
}

export type ProviderKind =
  | "openai"
  | "anthropic"
  | "google"
  | "mistral"
  | "openai-compatible"
  | "azure"
  | "bedrock"
  | "ollama"
  | "offline";

export interface ProviderProbe {
  kind:
    | "openai"
    | "anthropic"
    | "google"
    | "mistral"
    | "openai-compatible"
    | "azure"
    | "bedrock"
    | "ollama";
  /** Must match the config schema of the kind */
  config?: { [name: string]: unknown };
  /** A saved provider of this kind, whose secrets replace those sent as ••• */
  name?: string;
}

export interface ProviderTest {
  ok: boolean;
  latencyMs: number;
  error?: AgentRunError;
  /** The models that the provider offers */
  models: ProviderTestModelsItem[];
}

export interface ProviderTestModelsItem {
  providerModelId: string;
  displayName: string;
  /** Whether it is in the catalogue */
  added: boolean;
  kind:
    | "completion"
    | "embedding"
    | "image"
    | "speech"
    | "transcription"
    | "moderation"
    | "rerank"
    | "other";
  /** Tokens, where the provider says so */
  contextWindow?: number;
  /** Whether it reads images, where the provider says so */
  vision?: boolean;
}

export interface RankingOptions {
  /** `none`, or any other: with the reranker, where one is set up */
  ranker?: string | null;
  score_threshold?: number | null;
  hybrid_search?: null;
}

export interface Reaction {
  reaction: "like" | "dislike" | null;
  /** What was wrong with the answer; only with a dislike */
  reasons: (
    | "wrong"
    | "incomplete"
    | "not_my_documents"
    | "not_followed"
    | "too_long"
    | "unsafe"
  )[];
  comment: string | null;
}

export interface ResearchBudget {
  searches: number;
  /** That are read, or could not be read */
  pages: number;
  tokens: number;
  minutes: number;
}

export interface ResearchState {
  /** The plan as it was approved */
  steps: ResearchStateStepsItem[];
  budget: ResearchBudget;
  used: ResearchStateUsed;
  /** Pages that could not be read, each with the reason; the first 50 */
  unread: ResearchStateUnreadItem[];
}

export interface ResearchStateStepsItem {
  title: string;
  /** Something was found out */
  done: boolean;
}

export interface ResearchStateUnreadItem {
  url: string;
  problem: RunError;
}

export interface ResearchStateUsed {
  searches: number;
  /** That are read, or could not be read */
  pages: number;
}

export type ResourceType = "conversation" | "folder" | "document" | "agent" | "template";

export interface ResponseRequest {
  /** A model's id, or an agent's: `agent:<id>` */
  model: string;
  input?: string | Item[] | null;
  instructions?: string | null;
  previous_response_id?: string | null;
  /** Whether later requests can name it. Default true */
  store?: boolean | null;
  stream?: boolean | null;
  tools?: Tool[] | null;
  tool_choice?: ToolChoice | null;
  parallel_tool_calls?: boolean | null;
  temperature?: number | null;
  top_p?: number | null;
  max_output_tokens?: number | null;
  text?: {
    format?: ChatRequestResponseFormatForm1 | ResponseRequestTextFormatJsonSchema | null;
    verbosity?: string | null;
  } | null;
  reasoning?: {
    effort?: string | null;
    summary?: string | null;
  } | null;
  include?: string[] | null;
  metadata?: Metadata | null;
  truncation?: "auto" | "disabled" | null;
  user?: string | null;
  /** Answers at once; the response is read, followed and cancelled by its id */
  background?: boolean | null;
  /** The conversation that this goes on, which keeps it; in the web app, too */
  conversation?: string | ResponseRequestConversationForm2 | null;
  prompt?: null;
  top_logprobs?: 0 | null;
}

export interface ResponseRequestConversationForm2 {
  id: string;
}

export interface ResponseRequestTextFormatJsonSchema {
  type: "json_schema";
  name?: string | null;
  schema: { [name: string]: unknown };
  strict?: boolean | null;
}

export interface ResponseView {
  id: string;
  object: "response";
  created_at: number;
  status: "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
  background: boolean;
  conversation: ResponseViewConversation | null;
  model: string;
  output: (
    | ResponseViewOutputItemFileSearchCall
    | ResponseViewOutputItemMessage
    | ResponseViewOutputItemReasoning
    | ResponseViewOutputItemFunctionCall
    | ResponseViewOutputItemCustomToolCall
  )[];
  error: ResponseViewError | null;
  incomplete_details: ResponseViewIncompleteDetails | null;
  usage: ResponseViewUsage | null;
  instructions: string | null;
  max_output_tokens: number | null;
  metadata: { [name: string]: string };
  parallel_tool_calls: boolean;
  previous_response_id: string | null;
  reasoning: ResponseViewReasoning;
  store: boolean;
  temperature: number | null;
  text: ResponseViewText;
  tool_choice: unknown;
  tools: unknown[];
  top_p: number | null;
  truncation: string;
}

export interface ResponseViewConversation {
  id: string;
}

export interface ResponseViewError {
  code: string;
  message: string;
}

export interface ResponseViewIncompleteDetails {
  reason: "max_output_tokens" | "content_filter";
}

export interface ResponseViewOutputItemCustomToolCall {
  type: "custom_tool_call";
  id: string;
  call_id: string;
  name: string;
  namespace?: string;
  input: string;
}

export interface ResponseViewOutputItemFileSearchCall {
  id: string;
  type: "file_search_call";
  status: "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
  queries: string[];
  /** Only where `include` has `file_search_call.results` */
  results: ResponseViewOutputItemFileSearchCallResultsItem[] | null;
}

export interface ResponseViewOutputItemFileSearchCallResultsItem {
  file_id: string;
  filename: string;
  score: number;
  attributes: Attributes;
  text: string;
}

export interface ResponseViewOutputItemFunctionCall {
  type: "function_call";
  id: string;
  call_id: string;
  name: string;
  namespace?: string;
  arguments: string;
  status: "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
}

export interface ResponseViewOutputItemMessage {
  id: string;
  type: "message";
  role: "assistant";
  status: "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
  content: ResponseViewOutputItemMessageContentItem[];
}

export interface ResponseViewOutputItemMessageContentItem {
  type: "output_text";
  text: string;
  annotations: ResponseViewOutputItemMessageContentItemAnnotationsItem[];
  logprobs: never[];
}

export interface ResponseViewOutputItemMessageContentItemAnnotationsItem {
  type: "file_citation";
  /** The place in the text, in UTF-16 units */
  index: number;
  file_id: string;
  filename: string;
}

export interface ResponseViewOutputItemReasoning {
  id: string;
  type: "reasoning";
  summary: ResponseViewOutputItemReasoningSummaryItem[];
  /** What the provider wants back with the call that follows */
  encrypted_content?: string;
}

export interface ResponseViewOutputItemReasoningSummaryItem {
  type: "summary_text";
  text: string;
}

export interface ResponseViewReasoning {
  effort: string | null;
  summary: string | null;
}

export interface ResponseViewText {
  format: { [name: string]: unknown };
}

export interface ResponseViewUsage {
  input_tokens: number;
  input_tokens_details: ResponseViewUsageInputTokensDetails;
  output_tokens: number;
  output_tokens_details: ResponseViewUsageOutputTokensDetails;
  total_tokens: number;
}

export interface ResponseViewUsageInputTokensDetails {
  cached_tokens: number;
  cache_write_tokens: number;
}

export interface ResponseViewUsageOutputTokensDetails {
  reasoning_tokens: number;
}

export interface RetrievalSearchRequest {
  query: string | string[];
  /** Default 10 */
  max_num_results?: MaxResults;
  filters?: AttributeFilter | null;
  ranking_options?: RankingOptions | null;
  rewrite_query?: false | null;
}

export interface RetrievalSimilaritySearchResult {
  results: {
    chunkId: string;
    documentId: string;
    content: string;
    score: number;
    metadata: ChunkMetadata;
  }[];
  totalResults: number;
}

export interface RetrieveRequest {
  query: string;
  /**
   * Minimum cosine similarity. `naive`: of every result. `hybrid`: of results found
   * by vector. `default`: ignored; use `rerank.score`
   */
  grade: number;
  /** Number of candidates */
  similarityTopK?: number;
  /** Searches only these documents; an empty list finds nothing */
  docIds?: string[];
  /**
   * Searches these attachments too, which a search of all your documents leaves out;
   * without effect beside `docIds` and `folderIds`
   */
  alsoDocIds?: string[];
  /** Searches only documents of these folders, and files that are attached to them */
  folderIds?: string[];
  /**
   * With `folderIds`: only files with such attributes in these vector stores. A file
   * without the attribute fulfils `ne` and `nin` only
   */
  attributes?: AttributeFilter;
  /**
   * default: by vectors alone; it may miss names, numbers and rare words. hybrid: by
   * vectors and full text; of chunks that are nearly the same, the two best
   */
  engineName?: "default" | "naive" | "hybrid";
  rerank?: EvaluationRequestVariantsItemRerank;
  /** For other services: searches only documents that this user may see */
  userId?: string;
}

export interface RetrieveResponse {
  /** The best first */
  results: RetrieveResult[];
  query: string;
  totalResults: number;
  engineUsed: "advanced" | "naive" | "hybrid";
  pipeline: {
    reranked: boolean;
    rerankStrategy: "bge" | "llm" | null;
    candidatesConsidered: number;
    /** What failed without preventing the answer */
    warnings: RunError[];
  };
  /** Why there are no results; only then */
  notFound?: NothingFound;
}

export interface RetrieveResult {
  /** As it is in the document */
  content: string;
  /**
   * Cosine similarity; after reranking, the reranker's score; with `hybrid`,
   * relative to the best: 1 for a chunk that is best by vector and by words
   */
  score: number;
  metadata: ChunkMetadata;
  /** With `window`: the chunks before and after it */
  neighbours?: RetrieveResultNeighboursItem[];
}

export interface RetrieveResultNeighboursItem {
  chunkIndex: number;
  /**
   * The page or slide of its start. Where `place` is neither, the file states no
   * page, and this is the part of its text
   */
  pageNumber: number;
  content: string;
}

export type Revocation = RevocationForm1 | RevocationForm2;

export interface RevocationForm1 {
  userIds: string[];
  flowId: string;
}

export interface RevocationForm2 {
  groupId: string;
  flowIds: string[];
}

export interface RevocationResult {
  /** Whether anything was revoked */
  success: boolean;
  message: string;
  results: {
    flowId: string;
    /** Whether anybody lost this flow */
    success: boolean;
    userResults: {
      userId: string;
      /** false: the user had no access, or removing it failed */
      success: boolean;
    }[];
  }[];
}

export interface Role {
  description: string;
  permissions: UsersRolePermissionsResultRolesItemPermissionsItem[];
  name: string;
  builtIn: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface RoleChange {
  description?: string;
  permissions?: NewRolePermissionsItem[];
}

export interface Rule {
  id: number;
  name: string;
  type: string;
  origin: string;
  agents: (string | ScheduleAgentsItemForm2)[];
  is_active: boolean;
  client_id: string;
  /**
   * `client`: matches media of everybody in the client; `personal`: only its
   * creator's
   */
  scope: RuleScope;
  /** Its creator, who must be allowed to use its agents */
  user_id: string;
  last_update: string;
  created_at: string;
}

export interface RuleChange {
  name?: string;
  /** `audio`, `audio/mpeg`, `mp3`, `audio/*`, `*`, or a comma-separated list of these */
  type?: TypePattern;
  /**
   * Literal, or with `?` (one character), `*` (any text without a slash) and `**`
   * (any text), or a comma-separated list of these
   */
  origin?: TypePattern;
  agents?: (string | ScheduleAgentsItemForm2)[];
  is_active?: boolean;
  /**
   * `client`: matches media of everybody in the client; `personal`: only its
   * creator's
   */
  scope?: RuleScope;
}

export interface RulePreview {
  /** The stored rule that it replaces */
  ruleId?: number | null;
  /** `audio`, `audio/mpeg`, `mp3`, `audio/*`, `*`, or a comma-separated list of these */
  type: TypePattern;
  /**
   * Literal, or with `?` (one character), `*` (any text without a slash) and `**`
   * (any text), or a comma-separated list of these
   */
  origin?: TypePattern;
  /** Default: the 20 last media of the caller */
  media?: Medium[];
}

export interface RuleRun {
  id: string;
  status: RunStatus;
  error: RunError | null;
  createdAt: string;
  endedAt: string | null;
  agents: {
    agentId: string;
    status: StepStatus;
    /** Attempts so far */
    tries: number;
    error: RunError | null;
  }[];
}

export type RuleScope = "client" | "personal";

export interface Run {
  id: string;
  status: RunStatus;
  /** null: no rule matched, or a schedule started it */
  ruleId: number | null;
  /** Name of the rule or schedule when the run started */
  name: string;
  type: string;
  origin: string;
  sourceId: string | null;
  scheduleId: string | null;
  rerunOf: string | null;
  medium: MediumFacts | null;
  /** The conversation with the transcript; null until there is a transcript */
  conversationId: string | null;
  /** Seconds */
  duration: number | null;
  /** ISO 639-1 */
  language: string | null;
  error: RunError | null;
  createdAt: string;
  endedAt: string | null;
  transcript: string | null;
  agents: RunAgent[];
}

export interface RunAgent {
  agentId: string;
  priority: number;
  dependsOn: string[];
  status: StepStatus;
  /** Attempts so far */
  tries: number;
  /** The conversation with the agent's reply */
  conversationId: string | null;
  messageId: string | null;
  output: string | null;
  usage: Usage | null;
  error: RunError | null;
  startedAt: string | null;
  endedAt: string | null;
}

export interface RunEnding {
  /**
   * Tools that the model may call in one more turn when a budget, the time or the
   * turns are used up, unless one of them has answered before
   */
  tools: string[];
  /** After these no further turn begins that calls other tools */
  seconds: number;
}

export interface RunError {
  code: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
  message: string;
}

export interface RunFlow {
  input: string;
  inputType?: "chat" | "text" | "any";
  outputType?: "chat" | "text" | "any" | "debug";
  /** Runs with the same session share the flow's memory, separately for each user */
  sessionId?: string;
  /** Settings of the flow's components; only its owner may send them */
  tweaks?: { [name: string]: unknown };
  /** Documents of the user to pass to the flow */
  files?: string[];
  stream?: boolean;
  /** For services: the user */
  userId?: string;
}

export interface RunRequest {
  model: string;
  messages: AgentMessageKind2[];
  stream?: boolean;
  instructions?: string;
  /** Names of permitted tools. Absent: none */
  tools?: string[];
  /** Between services only */
  platformTools?: PlatformTools;
  /** Of the model, in tokens. Tools that would fill it are found, not sent */
  contextWindow?: number;
  maxIterations?: number;
  /** When one of them is used up, the next turn is the last and calls no tools */
  budgets?: AgentRunBudget[];
  /** Between services only */
  ending?: RunEnding;
  toolChoice?: AgentToolChoice;
  context?: UsageContext;
  /** Which calls wait for the user's decision */
  approval?: Approval;
  /**
   * With `destructive`: tools whose calls do not wait until the tool changes, or
   * until the run has read the open world
   */
  allowedTools?: AllowedTool[];
  /**
   * Whether `instructions` or `messages` hold pages of the web. Results of tools
   * without `openWorldHint: false` are known to be such
   */
  hasReadOpenWorld?: boolean;
  /**
   * Of what `instructions` and `messages` hold. They decide about providers and
   * calls of tools, and what tools of the platform read adds to them
   */
  labels?: CarriedLabel[];
  /** On calls that wait at the end of `messages` */
  decisions?: Decision[];
  temperature?: number;
  /** For each turn of the model */
  parameters?: ModelParameters;
  maxTokens?: number;
}

export interface RunResult {
  content: string;
  finishReason: FinishReason;
  iterations: number;
  usage: Usage;
  answeredBy?: AnsweredBy;
  /** The messages that the loop appended */
  messages: Message[];
  toolCalls: ToolOutcome[];
}

export type RunStatus =
  | "unmatched"
  | "reading"
  | "running"
  | "completed"
  | "failed"
  | "cancelled";

export interface RunSummary {
  id: string;
  status: RunStatus;
  /** null: no rule matched, or a schedule started it */
  ruleId: number | null;
  /** Name of the rule or schedule when the run started */
  name: string;
  type: string;
  origin: string;
  sourceId: string | null;
  scheduleId: string | null;
  rerunOf: string | null;
  medium: MediumFacts | null;
  /** The conversation with the transcript; null until there is a transcript */
  conversationId: string | null;
  /** Seconds */
  duration: number | null;
  /** ISO 639-1 */
  language: string | null;
  error: RunError | null;
  createdAt: string;
  endedAt: string | null;
}

export interface Schedule {
  name: string;
  /** Minute, hour, day of month, month, day of week: `0 9 * * 1-5` */
  cron: string;
  /** IANA name, such as Europe/Berlin */
  timeZone: string;
  /** What the agents receive as the transcript */
  input: string;
  agents: (string | ScheduleAgentsItemForm2)[];
  isActive: boolean;
  id: string;
  /** null if the schedule is inactive or has no next time */
  nextAt: string | null;
  /** Up to 5 times at which it will run; empty if it is inactive */
  nextTimes: string[];
  lastAt: string | null;
  lastRunId: string | null;
  /** Why the server stopped it; null once it is active again */
  error: RunError | null;
  createdAt: string;
  updatedAt: string;
}

export interface ScheduleAgentsItemForm2 {
  id: string;
  /** Higher runs earlier */
  priority?: number;
  /** Seconds */
  timeout?: number;
  retry_count?: number;
  /** Agents of the same rule whose outputs it needs; it starts when they are complete */
  depends_on?: string[];
}

export interface ScheduleChange {
  name?: string;
  /** Minute, hour, day of month, month, day of week: `0 9 * * 1-5` */
  cron?: string;
  /** IANA name, such as Europe/Berlin */
  timeZone?: string;
  /** What the agents receive as the transcript */
  input?: string;
  agents?: (string | ScheduleAgentsItemForm2)[];
  isActive?: boolean;
}

export type Scope =
  | "account:read"
  | "account:update"
  | "account:export"
  | "agent:read"
  | "agent:create"
  | "agent:update"
  | "agent:delete"
  | "agent:use"
  | "agent:administer"
  | "audit:administer"
  | "automation:read"
  | "automation:create"
  | "automation:update"
  | "automation:delete"
  | "automation:run"
  | "automation:administer"
  | "branding:administer"
  | "budget:administer"
  | "canvas:read"
  | "canvas:create"
  | "canvas:update"
  | "canvas:delete"
  | "canvas:export"
  | "conversation:read"
  | "conversation:create"
  | "conversation:update"
  | "conversation:delete"
  | "conversation:export"
  | "conversion:read"
  | "conversion:create"
  | "conversion:update"
  | "conversion:delete"
  | "directory:read"
  | "code:use"
  | "document:read"
  | "document:create"
  | "document:update"
  | "document:delete"
  | "document:search"
  | "document:process"
  | "flow:read"
  | "flow:create"
  | "flow:run"
  | "flow:administer"
  | "group:administer"
  | "image:create"
  | "label:administer"
  | "lock:read"
  | "lock:update"
  | "lock:administer"
  | "mark:read"
  | "mark:update"
  | "model:read"
  | "model:use"
  | "model:administer"
  | "queue:administer"
  | "role:read"
  | "role:administer"
  | "share:read"
  | "share:create"
  | "share:delete"
  | "template:read"
  | "template:create"
  | "template:update"
  | "template:delete"
  | "template:administer"
  | "tool:read"
  | "tool:approve"
  | "tool:use"
  | "tool:administer"
  | "usage:read"
  | "web:use"
  | "user:administer"
  | "account:*"
  | "agent:*"
  | "audit:*"
  | "automation:*"
  | "branding:*"
  | "budget:*"
  | "canvas:*"
  | "conversation:*"
  | "conversion:*"
  | "directory:*"
  | "code:*"
  | "document:*"
  | "flow:*"
  | "group:*"
  | "image:*"
  | "label:*"
  | "lock:*"
  | "mark:*"
  | "model:*"
  | "queue:*"
  | "role:*"
  | "share:*"
  | "template:*"
  | "tool:*"
  | "usage:*"
  | "web:*"
  | "user:*";

export interface Selection {
  id: string;
  modelId: string;
  providerName: string;
  /** The model's name at the provider */
  providerModelId: string;
  displayName: string;
  enabled: boolean;
  pricing?: Pricing;
  /**
   * Ids of available models that answer in its place, in this order, when it fails
   * before its first token
   */
  fallbacks?: string[];
  /** What holds where neither a request nor its agent says it */
  parameters?: DefaultParameters;
  /** Absent: its fallbacks answer only when it fails */
  loadSharing?: LoadSharing;
  kind: "completion" | "embedding" | "image" | "speech" | "transcription" | "moderation";
  contextWindow?: number;
  maxOutputTokens?: number;
  dimensions?: number;
  capabilities: ModelEntryCapabilities;
  providerDisplayName: string;
  providerKind: ProviderKind;
}

export interface SendMessage {
  /** Absent: a new conversation */
  conversationId?: string;
  /** May be empty with `files` */
  content: string;
  /** The agent that answers. Absent: the one that answered before; null: none */
  agentId?: string | null;
  /** With `agentId`: answer as this version of the agent. Absent: the newest */
  agentVersion?: number;
  /** Absent: the agent's, else the first enabled model */
  model?: string;
  /** Names of permitted tools, or `toolset:name` for all of one. Absent: the agent's */
  tools?: string[];
  /**
   * Attached documents: the model reads text and images; others are searched, also
   * for later messages
   */
  files?: string[];
  /**
   * The message of `conversationId` to answer, which may begin a branch. Absent: the
   * newest; null: a branch from the beginning
   */
  parentMessageId?: string | null;
  /** The canvas that the user has open: the model knows of it and may change it */
  canvasId?: string;
  stream?: boolean;
  instructions?: string;
  /**
   * Which tool calls wait for a decision. `never` needs `tool:approve` and
   * `tool:administer`
   */
  approval?: "never" | "destructive" | "always";
}

export interface ServerDeadLettersResult {
  items: {
    id: string;
    /** The message */
    data: unknown;
    /** Why the last attempt failed */
    error: string;
    code?: string;
    /** The values in the sentence */
    params?: { [name: string]: string | number };
    tries: number;
    diedAt: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface ServerDiscardDeadLettersResult {
  discarded: number;
}

export interface ServerEventsEventReadyData {}

export type ServerHealthResult = ServerHealthResultForm1 | ServerHealthResultForm2;

export interface ServerHealthResultForm1 {
  status: "ok" | "degraded" | "down";
  services: string[];
  version: string;
  /** Seconds since start */
  uptime: number;
  checks: { [name: string]: ServerHealthResultForm1ChecksItem };
  /**
   * Background jobs, with their runs in this process or, for services that run
   * apart, in the replica that answered
   */
  jobs: ServerHealthResultForm1JobsItem[];
  /** Services in other processes that did not answer: their jobs are not listed */
  unreachable: string[];
}

export interface ServerHealthResultForm1ChecksItem {
  status: "ok" | "degraded" | "down";
  latencyMs: number;
  detail?: string;
  code?: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
}

export interface ServerHealthResultForm1JobsItem {
  service: string;
  name: string;
  /** `each`: every process runs it; `one`: one process at a time, under a lease */
  replicas: "each" | "one";
  /** From the end of one run to the start of the next */
  intervalMs: number;
  /** Of the last run in its process */
  status: "ok" | "failed" | "waiting";
  /** Since its process started */
  runs: number;
  failures: number;
  lastRunAt: string | null;
  lastDurationMs: number | null;
}

export interface ServerHealthResultForm2 {
  status: "ok" | "down";
}

export interface ServerLivenessResult {
  status: "ok";
}

export interface ServerOpenApiResult {
  openapi: string;
  [name: string]: unknown;
}

export interface ServerQueuesResult {
  queues: {
    name: string;
    /** Not done; on RabbitMQ without those that wait for a retry or are in work */
    waiting: number;
    deadLetters: number;
  }[];
}

export interface ServerReadinessResult {
  status: "ok" | "down";
  checks?: { [name: string]: ServerHealthResultForm1ChecksItem };
}

export interface ServerRetryDeadLettersRequest {
  ids?: string[];
}

export interface ServerRetryDeadLettersResult {
  retried: number;
}

export interface Session {
  id: string;
  /** browser: by cookie; token: by access tokens */
  kind: "browser" | "token";
  /** What signed in, as it names itself. May be empty */
  userAgent: string;
  createdAt: string;
  /** To the minute; for tokens, the last refresh */
  lastUsedAt: string;
  /** When the session ends if it is not used again */
  expiresAt: string;
}

export interface Share {
  id: string;
  featureId: string;
  subjectType: "user" | "group";
  subjectId: string;
  accessRole: AccessRole;
  grantedByUserId: string;
  createdAt: string;
}

export interface SimilaritySearch {
  queryEmbedding: number[];
  topK?: number;
  docIds?: string[];
  /** The model of the vector. Default: the active one */
  model?: string;
  /** For other services: searches only documents that this user may see */
  userId?: string;
}

export interface SoundPart {
  type: "input_audio";
  input_audio: SoundPartInputAudio;
}

export interface SoundPartInputAudio {
  /** In base64 */
  data: string;
  format: "wav" | "mp3" | "flac" | "ogg" | "aac" | "aiff";
}

export interface Source {
  /** The number by which the reply cites it, from 1 */
  index: number;
  /** Of a page of the web: its address */
  documentId: string;
  fileName: string;
  /**
   * The page or slide of its start; null where the file does not state it: see
   * `place`
   */
  pageNumber: number | null;
  /** Absent for a page of the web, and in older replies */
  place?: Place;
  chunkIndex: number;
  score: number;
  content: string;
  /** Absent in older replies: a page of the web has a `url` */
  kind?: "document" | "web" | "table";
  /** Of a table: the query and its rows */
  table?: TableOfSource;
  /** Of a page of the web. Absent: a document */
  url?: string;
  /** When the page had these words */
  fetchedAt?: string;
}

export interface SourceItem {
  /** Its path inside the source */
  key: string;
  /** `seen`: the file may still change */
  state: "seen" | "taken" | "refused";
  runId: string | null;
  error: RunError | null;
  seenAt: string;
}

export type Status = "ok" | "degraded" | "down";

export type StepStatus =
  | "waiting"
  | "running"
  | "approval"
  | "completed"
  | "failed"
  | "skipped"
  | "cancelled";

export interface StoreFile {
  id: string;
  object: "vector_store.file";
  created_at: number;
  vector_store_id: string;
  status: "in_progress" | "completed" | "failed" | "cancelled";
  last_error: StoreFileLastError | null;
  /** The size of the file */
  usage_bytes: number;
  attributes: Attributes;
  /** Files are cut as the folder's settings say */
  chunking_strategy: StoreFileChunkingStrategy;
}

export interface StoreFileChunkingStrategy {
  type: "other";
}

export interface StoreFileLastError {
  code: "server_error" | "unsupported_file" | "invalid_file";
  message: string;
}

export interface StoreResult {
  file_id: string;
  filename: string;
  score: number;
  attributes: Attributes;
  content: StoreResultContentItem[];
}

export interface StoreResultContentItem {
  type: "text";
  text: string;
}

export interface StoreResults {
  object: "vector_store.search_results.page";
  search_query: string[];
  data: StoreResult[];
  has_more: false;
  next_page: null;
}

export interface StoredChunk {
  index: number;
  content: string;
  /**
   * In UTF-16 units: text.slice(start, end) is the content, after the header of its
   * table
   */
  start: number;
  end: number;
  tokenCount: number;
  /**
   * The page or slide of its start. Where `place` is neither, the file states no
   * page, and this is the part of its text
   */
  pageNumber: number;
  place: Place;
  /** Headings of its sections, the outermost first */
  headings: string[];
  id: string;
  language: string | null;
  /** The English text that is searched, when the chunk was translated */
  translation: string | null;
}

export interface StoredDocument {
  id: string;
  fileName: string;
  /** Detected from the file's bytes */
  mimeType: string;
  size: number;
  sha256: string;
  folderId: string | null;
  ownerId: string;
  /**
   * Given to a conversation or a form: listed and searched only there, and deleted
   * with it
   */
  isAttachment: boolean;
  status: DocumentStatus;
  /** Progress of the current step */
  progress: number;
  error: StoredDocumentError | null;
  /** Failed and excluded from `retry-failed` */
  skipped: boolean;
  /** What the parser found, and which backend found it */
  parsing: ParseMetadata | null;
  /** What the index of the document contains */
  indexing: Indexing | null;
  createdAt: string;
  updatedAt: string;
}

export interface StoredDocumentError {
  code: string;
  /** The values in the sentence */
  params?: { [name: string]: string | number };
  message: string;
  stage: string;
  /** Which backends were tried, and why each failed */
  trace?: StoredDocumentErrorTraceItem[];
}

export interface StoredDocumentErrorTraceItem {
  backend: string;
  outcome: "used" | "improved" | "skipped" | "failed";
  reason?: string;
  durationMs: number;
}

export interface StoredSource {
  /** The number by which the reply cites it, from 1 */
  index: number;
  /** Of a page of the web: its address */
  documentId: string;
  fileName: string;
  /**
   * The page or slide of its start; null where the file does not state it: see
   * `place`
   */
  pageNumber: number | null;
  /** Absent for a page of the web, and in older replies */
  place?: Place;
  chunkIndex: number;
  score: number;
  content: string;
  /** Absent in older replies: a page of the web has a `url` */
  kind?: "document" | "web" | "table";
  /** Of a table: the query and its rows */
  table?: TableOfSource;
  /** Of a page of the web. Absent: a document */
  url?: string;
  /** When the page had these words */
  fetchedAt?: string;
  /** Whether the reply cites it */
  cited: boolean;
}

export interface TableOfSource {
  sql: string;
  /** Those whose tables the query could name */
  documentIds: string[];
  answer: TableOfSourceAnswer;
  /** The first of the rows that the answer's sums and counts are made from */
  behind?: TableOfSourceBehind;
}

export interface TableOfSourceAnswer {
  columns: TableOfSourceAnswerColumnsItem[];
  rows: (string | null)[][];
  /** Whether there are more rows */
  cut: boolean;
}

export interface TableOfSourceAnswerColumnsItem {
  name: string;
  type: string;
}

export interface TableOfSourceBehind {
  columns: TableOfSourceAnswerColumnsItem[];
  rows: (string | null)[][];
  /** Whether there are more rows */
  cut: boolean;
  total: number;
  /** The query that returns all of them */
  sql: string;
}

export interface Template {
  name: string;
  description: string;
  /** Each {{variable}} is a gap */
  content: string;
  variables: TemplateVariablesItem[];
  language: string;
  enabled: boolean;
  id: string;
  scope: "organization" | "personal";
  /** null for templates of the organisation */
  ownerId: string | null;
  /** Name of the owner; null if there is none */
  ownerName: string | null;
  /** What the caller may do: viewers use it, editors change it */
  role: AccessRole;
  builtIn: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface TemplateChange {
  name?: string;
  description?: string;
  /** Each {{variable}} is a gap */
  content?: string;
  variables?: NewTemplateVariablesItem[];
  language?: string;
  enabled?: boolean;
}

export interface TemplateVariablesItem {
  name: string;
  label: string;
  default: string | null;
  required: boolean;
}

export interface TextChange {
  kind: "same" | "added" | "removed";
  text: string;
}

export interface TextLayout {
  /** none: the file does not say on which page its text is */
  kind: "pages" | "slides" | "sheets" | "chapters" | "none";
  /** How many parts, from the first, are of this kind; attached files follow */
  parts: number;
  /** Of sheets or chapters, in order; empty for one without */
  names?: string[];
  /**
   * [part, line, number]: from this line of a part on (parts count from 1, lines
   * from 0), lines are on this page, or successive rows of a sheet; 0: it is not
   * known
   */
  lines?: number[][];
}

export interface TextRequest {
  /** A model's id, or an agent's: `agent:<id>` */
  model: string;
  /** A text or up to 32; as tokens of the model only where its provider takes them */
  prompt: string | string[] | number[] | number[][];
  /** What follows the text to be written */
  suffix?: string | null;
  max_tokens?: number | -1 | null;
  /** Texts for each prompt; with several prompts 64 at most in all */
  n?: number | null;
  best_of?: number | null;
  /** The prompt stands before each text */
  echo?: boolean | null;
  logprobs?: false | number | null;
  stream?: boolean | null;
  stream_options?: ChatRequestStreamOptions | null;
  temperature?: number | null;
  top_p?: number | null;
  stop?: string | string[] | null;
  frequency_penalty?: number | null;
  presence_penalty?: number | null;
  logit_bias?: { [name: string]: number } | null;
  seed?: number | null;
  [name: string]: unknown;
}

export interface ThreadPage {
  /** Part of one branch, the oldest first */
  items: {
    id: string;
    conversationId: string;
    parentId: string | null;
    role: "user" | "assistant";
    content: string;
    /** What the model thought before it answered */
    reasoning: string;
    status: "streaming" | "complete" | "stopped" | "failed";
    agentId: string | null;
    /** The version of the agent that answered */
    agentVersion: number | null;
    /** The model that was asked */
    model: string | null;
    answeredBy?: AnsweredBy | null;
    toolCalls: ToolOutcome[];
    /** Calls that wait for a decision */
    waiting: ConversationMessageWaitingItem[];
    sources: StoredSource[];
    /** Why the documents had nothing for this reply */
    notFound?: CoreNotFound | null;
    /** What the reply was made without, such as a page that could not be read */
    warnings?: RunError[] | null;
    /** Of what the reply was made from; its conversation carries them on */
    labels?: NamedLabel[] | null;
    /** Of a reply that researches: plan, budget */
    research?: ResearchState | null;
    /** Versions of canvases that the model wrote in this reply */
    canvases: ConversationMessageCanvasesItem[];
    files: ConversationMessageFilesItem[];
    usage: Usage | null;
    /** The caller's reaction */
    reaction: "like" | "dislike" | null;
    finishReason: string | null;
    error: AgentRunError | null;
    createdAt: string;
    /** Messages with the same parent, this one among them, the oldest first; 50 at most */
    siblings: string[];
    /** Its place among all siblings, from 0 */
    position: number;
    siblingCount: number;
  }[];
  /** The end of the branch; null: there is no message yet */
  leaf: string | null;
  /** Give it as `before` for the messages above; null: the thread begins here */
  before: string | null;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  expiresAt: string;
}

export type Tool = ToolFunction | ToolCustom | ToolNamespace | ToolFileSearch | ToolForm5;

export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  [name: string]: unknown;
}

export interface ToolCall {
  id: string;
  type: "tool_call";
  name: string;
  arguments: { [name: string]: unknown };
  /**
   * The arguments as the model wrote them, when they are not a JSON object. Such a
   * call must not run
   */
  unreadable?: string;
  /**
   * What the provider wants back with the call, such as the signature of a thought.
   * It goes to the same model only. Send it as it came
   */
  state?: { [name: string]: unknown };
}

export type ToolChoice =
  | "none"
  | "auto"
  | "required"
  | ToolChoiceForm2
  | ToolChoiceAllowedTools
  | ToolForm5;

export interface ToolChoiceAllowedTools {
  type: "allowed_tools";
  mode: "auto" | "required";
  tools: (ToolChoiceForm2 | ToolForm5)[];
}

export interface ToolChoiceForm2 {
  type: "function" | "custom";
  name: string;
  namespace?: string | null;
}

export interface ToolCustom {
  type: "custom";
  name: string;
  description?: string | null;
  format?: ToolCustomFormat | null;
}

export interface ToolCustomFormat {
  type: string;
  syntax?: string | null;
  definition?: string | null;
}

export type ToolEffect = "read_only" | "additive" | "destructive";

export interface ToolFigures {
  unit: "passages" | "documents" | "lines" | "results" | "tables" | "rows";
  count: number;
  /** Among how many, where that is known */
  of?: number;
}

export interface ToolFile {
  /** `image`: PNG, JPEG, GIF or WebP, by its bytes */
  kind: "image" | "audio" | "file";
  name: string;
  mediaType: string;
  /** base64; empty when the bytes are at `fileId` alone */
  data: string;
  /** Of a file of the conversation: GET /api/v1/conversation/files/{fileId}/content */
  fileId?: string;
  /** In bytes, with `fileId` */
  size?: number;
}

export interface ToolFileSearch {
  type: "file_search";
  /** Without any, all documents that the caller may see */
  vector_store_ids?: string[] | null;
  max_num_results?: MaxResults;
  filters?: AttributeFilter | null;
  ranking_options?: RankingOptions | null;
}

export interface ToolForm5 {
  type: string;
}

export interface ToolFunction {
  type: "function";
  name: string;
  description?: string | null;
  parameters?: { [name: string]: unknown } | null;
}

export interface ToolGatewayApproveToolRequest {
  server: string;
  /** The server's own name of the tool */
  name: string;
  /** Of the definition that was reviewed: 409 if the tool changed since then */
  fingerprint?: string;
}

export interface ToolGatewayApproveToolResult {
  approved: true;
}

export interface ToolGatewayCallFromViewRequest {
  /** Of the tool that names the view */
  server: string;
  /** As its server names it */
  tool: string;
  arguments?: { [name: string]: unknown };
  /** Whether the user was asked */
  approved?: boolean;
}

export type ToolGatewayCallFromViewResult =
  | ToolGatewayCallFromViewResultForm1
  | ToolGatewayCallFromViewResultForm2;

export interface ToolGatewayCallFromViewResultForm1 {
  state: "asks";
  /** The tool that wants to run, as it is listed */
  tool: string;
}

export interface ToolGatewayCallFromViewResultForm2 {
  state: "answered";
  result: ToolResult;
}

export interface ToolGatewayClassifyToolRequest {
  /** null: the effect by its own annotations */
  effect: ToolEffect | null;
}

export interface ToolGatewayClientMetadataResult {
  client_id: string;
  client_name: string;
  client_uri: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  application_type: string;
  token_endpoint_auth_method: string;
}

export interface ToolGatewayCompleteConnectionRequest {
  state: string;
  /** The last part of the address that the browser came back to */
  callback?: string;
  code?: string;
  iss?: string;
  error?: string;
  errorDescription?: string;
}

export interface ToolGatewayCompleteConnectionResult {
  server: string;
}

export interface ToolGatewayConnectResult {
  /** Where the user signs in, in a browser; ten minutes */
  url: string;
}

export interface ToolGatewayFillValuesRequest {
  /** By name; what is not named stays as it was */
  values: { [name: string]: string };
}

export interface ToolGatewayListClassifiedResult {
  items: ToolGatewayListClassifiedResultItemsItem[];
  page: number;
  limit: number;
  total: number;
}

export interface ToolGatewayListClassifiedResultItemsItem {
  name: string;
  description: string;
  server: string;
  annotations?: ToolAnnotations;
  title?: string;
  /** `additive`: it changes something and destroys nothing */
  effect?: ToolEffect;
  /**
   * `server`: by its annotations; `default`: it has none, so it counts as
   * destructive
   */
  effectBy?: "administrator" | "server" | "default";
  /** Fingerprint of its whole definition */
  fingerprint?: string;
  /** The view that shows its results (`ui://`) */
  view?: string;
  /** The server's own name of the tool */
  tool: string;
}

export interface ToolGatewayListConnectionsResult {
  items: {
    server: string;
    /**
     * `expired`: connect again; `incomplete`: a tool needs more rights, connect again
     * to grant them
     */
    state: "none" | "connected" | "expired" | "incomplete";
    connectedAt: string | null;
    /** The rights that were asked for and granted */
    scopes: string[];
    /** What the server wants beyond that */
    wantedScopes: string[];
    /** Whether the list of its tools is read with this account */
    lists: boolean;
    /** What you fill in for its headers, such as a key; what was filled in is not shown */
    values: {
      name: string;
      isSet: boolean;
    }[];
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface ToolGatewayListOfferedToolsResult {
  items: {
    /** To be named in `tools` of a message or an agent */
    name: string;
    title?: string;
    server: string;
    /** At most 500 characters */
    description: string;
    /** `additive`: it changes something and destroys nothing */
    effect: ToolEffect;
    /** Its calls wait for approval */
    destructive: boolean;
    /** Whether your roles let your replies use it (`tool:use`) */
    permitted: boolean;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface ToolGatewayListServersResult {
  items: {
    name: string;
    /** `signed-out`: an administrator must connect it first */
    state: "connecting" | "ready" | "idle" | "signed-out" | "down" | "disabled";
    /** Whether it signs users in (OAuth) */
    signIn?: boolean;
    /** What each user fills in for its headers; empty: only who asks is sent */
    values?: string[];
    /** Where its client ID may be used: as entered, else the first one it named */
    issuer?: string;
    /** To be registered there by hand */
    redirectUri?: string;
    tools: number;
    /** New and changed tools to approve */
    withheld?: number;
    /** Why it cannot be used */
    error?: AgentRunError;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface ToolGatewayListViewResourcesRequest {
  /** Of the tool that names the view */
  server: string;
  kind?: "resources" | "templates";
}

export interface ToolGatewayListViewResourcesResult {
  /** As their server lists them, 500 at most */
  items: { [name: string]: unknown }[];
}

export interface ToolGatewayListWithheldResult {
  items: {
    description: string;
    inputSchema: { [name: string]: unknown };
    annotations?: ToolAnnotations;
    title?: string;
    outputSchema?: { [name: string]: unknown };
    server: string;
    name: string;
    /** Fingerprint of its current definition */
    fingerprint: string;
    /** It was added after its server was registered */
    isNew: boolean;
    /** Its definition when it was approved; empty if it is new */
    approved: {
      description: string;
      inputSchema: { [name: string]: unknown };
      annotations?: ToolAnnotations;
      title?: string;
      outputSchema?: { [name: string]: unknown };
    };
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface ToolGatewayReadViewRequest {
  /** Of the tool that names the view */
  server: string;
  uri: string;
  /** The tool that was called, as it is listed: the view learns what it is */
  tool?: string;
}

export interface ToolGatewayReadViewResourceRequest {
  /** Of the tool that names the view */
  server: string;
  /** Of a resource that the server lists */
  uri: string;
}

export interface ToolGatewayReadViewResourceResult {
  /** As its server answers, 3 MB at most */
  contents: { [name: string]: unknown }[];
}

export interface ToolGatewayReadViewResult {
  html: string;
  /** The content security policy of what the page declares that it needs */
  policy: string;
  /** The tool that was named, as its server describes it */
  tool?: { [name: string]: unknown };
}

export interface ToolGatewayRefreshResult {
  servers: number;
}

export interface ToolGatewayTestServerRequest {
  /** An address of the network, or `stdio:<name>` for a command of MCP_COMMANDS */
  url: string;
  /** Sent with each request, such as a key */
  headers?: { [name: string]: string };
  /** A registered server: its stored headers are sent where `headers` is missing */
  name?: string;
}

export interface ToolGatewayTestServerResult {
  ok: boolean;
  latencyMs: number;
  /** What the server offers, at most 1,000 */
  tools: {
    name: string;
    title?: string;
    description: string;
  }[];
  /** Why it failed, without the server's own words */
  error?: AgentRunError;
}

export interface ToolNamespace {
  type: "namespace";
  name: string;
  description?: string | null;
  tools: (ToolFunction | ToolCustom)[];
}

export interface ToolOutcome {
  toolCallId: string;
  name: string;
  arguments: { [name: string]: unknown };
  /** The result as text, which names its files */
  content: string;
  /** Files in the result, up to 10 */
  files?: ToolFile[];
  isError: boolean;
  durationMs: number;
  view?: ToolView;
  /** How much a tool of the platform found */
  figures?: ToolFigures;
  /** How many characters of the reply's `content` stood before the call */
  at?: number;
}

export interface ToolResult {
  content: ToolResultContentItem[];
  structuredContent?: { [name: string]: unknown };
  isError?: boolean;
  [name: string]: unknown;
}

export interface ToolResultContentItem {
  type: string;
  [name: string]: unknown;
}

export interface ToolView {
  server: string;
  /** To be read at POST /api/v1/tools/view */
  uri: string;
  /** The whole result as its server gave it; absent where it is too large */
  result?: { [name: string]: unknown };
}

export interface Translation {
  translatedText: string;
  /** ISO 639-1; null when it is unknown */
  detectedLanguage: string | null;
  confidence: number;
  translated: boolean;
}

export type TypeMatch = "type" | "family" | "any";

export type TypePattern = string | string[];

export interface UploadedDocument {
  id: string;
  fileName: string;
  /** Detected from the file's bytes */
  mimeType: string;
  size: number;
  sha256: string;
  folderId: string | null;
  ownerId: string;
  /**
   * Given to a conversation or a form: listed and searched only there, and deleted
   * with it
   */
  isAttachment: boolean;
  status: DocumentStatus;
  /** Progress of the current step */
  progress: number;
  error: StoredDocumentError | null;
  /** Failed and excluded from `retry-failed` */
  skipped: boolean;
  /** What the parser found, and which backend found it */
  parsing: ParseMetadata | null;
  /** What the index of the document contains */
  indexing: Indexing | null;
  createdAt: string;
  updatedAt: string;
  /** Whether the document existed already */
  deduplicated: boolean;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Of the input: what the provider had in its cache */
  cachedInputTokens?: number;
  /** Of the input: what the provider put into its cache */
  cacheWriteInputTokens?: number;
  /** Of a reply that asked the model several times: what the last time read and wrote */
  contextTokens?: number;
}

export interface UsageContext {
  userId?: string;
  conversationId?: string;
  agentId?: string;
  [name: string]: unknown;
}

export interface UserChange {
  email?: string;
  password?: string;
  name?: string;
  roles?: string[];
  disabled?: boolean;
}

export interface UserProfile {
  id: string;
  email: string;
  name: string;
  roles: string[];
  clientId: string;
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface UsersAppResult {
  name: string;
  branding: Branding;
  version: string;
  /** Whether the first administrator still has the password printed at the start */
  setup: boolean;
  /** Whether the request has the cookie of a session, which may have ended */
  signedIn: boolean;
  /** Whether anybody may create an account */
  signUp: boolean;
  /** Identity providers to sign in with; `url` starts the sign-in */
  providers: {
    name: string;
    displayName: string;
    url: string;
  }[];
  /** What this installation runs */
  features: {
    documents: boolean;
    retrieval: boolean;
    flows: boolean;
    automations: boolean;
  };
  limits: {
    uploadBytes: number;
    messageCharacters: number;
    messageFiles: number;
    /** Length of the shortest password */
    passwordCharacters: number;
  };
}

export interface UsersChangeBrandingRequest {
  /** null: Parlance */
  name?: string | null;
  /** The colour of buttons and links on a light page, as `#rrggbb`; null: the default */
  accent?: string | null;
  notice?: {
    text: string;
    /** It disappears then; null: never */
    until?: string | null;
  } | null;
  /** PNG, JPEG or WebP in base64, at most 200000 bytes; null: none */
  logo?: string | null;
}

export interface UsersChangeExternalUserRequest {
  disabled: boolean;
}

export interface UsersChangeMeRequest {
  name: string;
}

export interface UsersChangeMeResult {
  id: string;
  name: string;
}

export interface UsersChangePasswordRequest {
  currentPassword: string;
  newPassword: string;
}

export type UsersChangePreferencesRequest = { [name: string]: unknown };

export interface UsersCheckAccessBatchRequest {
  userId: string;
  resources: NamedResource[];
}

export interface UsersCheckAccessBatchResult {
  results: {
    /** `source`: the folder or document with this id */
    resourceType: "conversation" | "folder" | "document" | "agent" | "template" | "source";
    resourceId: string;
    hasAccess: boolean;
    role: AccessRole | null;
  }[];
}

export interface UsersCheckAccessRequest {
  /** `source`: the folder or document with this id */
  resourceType: "conversation" | "folder" | "document" | "agent" | "template" | "source";
  resourceId: string;
  userId: string;
}

export interface UsersCheckAccessResult {
  hasAccess: boolean;
  role: AccessRole | null;
}

export interface UsersConfirmRequest {
  password: string;
}

export interface UsersCreateApiKeyRequest {
  name: string;
  /** Default: everything that its user may do, except administration */
  scopes?: Scope[];
  /**
   * Tools that it may run at `/mcp`: `server` for all of one, or `server/tool` by
   * the name that `GET /api/v1/tools` lists. Default: those that its user may run
   */
  tools?: string[];
  expiresAt?: string;
}

export interface UsersCreateApiKeyResult {
  id: string;
  name: string;
  /** null: everything that its user may do, except administration */
  scopes: string[] | null;
  /** Tools that it may run at `/mcp`: `server` or `server/tool`; null: all */
  tools: string[] | null;
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  key: string;
}

export interface UsersCreateScimTokenRequest {
  name: string;
  expiresAt?: string;
}

export interface UsersCreateScimTokenResult {
  id: string;
  name: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  /** The id of the administrator who made it */
  createdBy: string;
  /** null once the account is deleted */
  createdByName: string | null;
  /**
   * false while who made it may not do all that the role `admin` permits: it is
   * refused then
   */
  counts: boolean;
  token: string;
}

export interface UsersCreateUserResult {
  id: string;
  email: string;
  name: string;
  roles: string[];
  clientId: string;
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
  /** Generated when none was given; only this response contains it */
  password?: string;
}

export interface UsersDecideAuthorizationRequest {
  request: AuthorizationRequest;
  /** None: it is refused */
  scopes: ("tool:use" | "tool:approve")[];
  /**
   * Tools that it may run: `server` for all of one, or `server/tool` by the name
   * that `GET /api/v1/tools` lists. Default: those that its user may run
   */
  tools?: string[];
}

export interface UsersDecideAuthorizationResult {
  /** Where the browser goes then */
  url: string;
}

export interface UsersEndOtherSessionsResult {
  ended: number;
}

export interface UsersExchangeRequest {
  code: string;
}

export interface UsersExplainAccessResult {
  role: AccessRole;
  /** null: the owner is gone */
  ownerName: string | null;
  grounds: AccessGround[];
}

export interface UsersExplainPermissionsResult {
  roles: string[];
  /** Which roles come from which groups; the first 200 */
  rolesOfGroups: {
    role: string;
    groupId: string;
    groupName: string;
  }[];
  permissions: ExplainedPermission[];
}

export type UsersGetPreferencesResult = { [name: string]: unknown };

export interface UsersGetTagsResult {
  tags: string[];
}

export interface UsersJwksResult {
  keys: {
    kid: string;
    [name: string]: unknown;
  }[];
}

export interface UsersLabelsOnResult {
  labels: LabelOfResource[];
  /** Whether the caller may put labels on the resource */
  mayChange: boolean;
}

export interface UsersLinkRequest {
  /** The `link` with which the browser returned */
  code: string;
  password: string;
}

export interface UsersLinkResult {
  code: string;
}

export interface UsersListApiKeysResult {
  items: {
    id: string;
    name: string;
    /** null: everything that its user may do, except administration */
    scopes: string[] | null;
    /** Tools that it may run at `/mcp`: `server` or `server/tool`; null: all */
    tools: string[] | null;
    expiresAt: string | null;
    lastUsedAt: string | null;
    createdAt: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListAuditResult {
  items: AuditEntry[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListDeletedUsersResult {
  items: DeletedUser[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListExternalUsersResult {
  items: UsersListExternalUsersResultItemsItem[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListExternalUsersResultItemsItem {
  /** The `sub` of the issuer's tokens */
  userId: string;
  email: string;
  name: string;
  disabled: boolean;
  /** When the first request came */
  createdAt: string;
}

export interface UsersListGrantsOfUsersResult {
  items: {
    id: string;
    /** As the client calls itself */
    clientName: string;
    /** The host that says so, of a client with a metadata document; null: nobody does */
    clientHost: string | null;
    /** The address of its metadata document, where it has one */
    clientDocument: string | null;
    redirectHost: string;
    scopes: string[];
    /** What was chosen for it: `server` or `server/tool`; null: all */
    tools: string[] | null;
    /** How often the client is connected: on several machines, or repeatedly */
    connections: number;
    createdAt: string;
    lastUsedAt: string | null;
    userId: string;
    userName: string;
    userEmail: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListGroupsOfUserResult {
  items: {
    id: string;
    name: string;
    sources: MembershipSource[];
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListGroupsResult {
  items: UsersListGroupsResultItemsItem[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListGroupsResultItemsItem {
  name: string;
  description: string;
  /**
   * Name of the group at the identity provider: users whose claims list it are
   * members
   */
  externalName: string | null;
  roles: string[];
  id: string;
  createdAt: string;
  updatedAt: string;
  /** Users who were added to the group itself */
  memberCount: number;
  /** Groups nested directly in the group */
  groupCount: number;
}

export interface UsersListLabelsResult {
  items: Label[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListLocksResult {
  items: {
    featureId: string;
    userId: string;
    /** Increases with every new lock of the resource, so a smaller token is outdated */
    token: number;
    acquiredAt: string;
    expiresAt: string;
    /** Name of the holder; null: the user is gone */
    userName: string | null;
    resourceType: ResourceType;
    resourceId: string;
    ownerId: string;
    /** null: the user is gone */
    ownerName: string | null;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListMcpGrantsResult {
  items: {
    id: string;
    /** As the client calls itself */
    clientName: string;
    /** The host that says so, of a client with a metadata document; null: nobody does */
    clientHost: string | null;
    /** The address of its metadata document, where it has one */
    clientDocument: string | null;
    redirectHost: string;
    scopes: string[];
    /** What was chosen for it: `server` or `server/tool`; null: all */
    tools: string[] | null;
    /** How often the client is connected: on several machines, or repeatedly */
    connections: number;
    createdAt: string;
    lastUsedAt: string | null;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListMembersResult {
  items: {
    userId: string;
    name: string | null;
    email: string | null;
    /** Through what; the first 20 */
    sources: MembershipSource[];
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListNoticesResult {
  items: AccountNotice[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListPermissionsResult {
  items: {
    name: string;
    resource: string;
    action: string;
    description: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListPinsResult {
  items: UsersListPinsResultItemsItem[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListPinsResultItemsItem {
  resourceType: string;
  resourceId: string;
  createdAt: string;
}

export interface UsersListProvidersResult {
  items: {
    name: string;
    displayName: string;
    /** Open this to start the sign-in */
    url: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListRolesResult {
  items: Role[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListScimTokensResult {
  items: {
    id: string;
    name: string;
    expiresAt: string | null;
    lastUsedAt: string | null;
    createdAt: string;
    /** The id of the administrator who made it */
    createdBy: string;
    /** null once the account is deleted */
    createdByName: string | null;
    /**
     * false while who made it may not do all that the role `admin` permits: it is
     * refused then
     */
    counts: boolean;
  }[];
  page: number;
  limit: number;
  total: number;
  /** The address that the identity provider asks for */
  baseUrl: string;
}

export interface UsersListSessionsResult {
  items: {
    id: string;
    /** browser: by cookie; token: by access tokens */
    kind: "browser" | "token";
    /** What signed in, as it names itself. May be empty */
    userAgent: string;
    createdAt: string;
    /** To the minute; for tokens, the last refresh */
    lastUsedAt: string;
    /** When the session ends if it is not used again */
    expiresAt: string;
    /** The session of this request */
    current: boolean;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListSharesResult {
  items: {
    id: string;
    featureId: string;
    subjectType: "user" | "group";
    subjectId: string;
    accessRole: AccessRole;
    grantedByUserId: string;
    createdAt: string;
    /** Name of the user or group; empty if it was deleted */
    name: string;
    /** null: the user is gone */
    grantedByName: string | null;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListSubjectsResult {
  items: {
    subjectType: "user" | "group";
    subjectId: string;
    name: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListTaggedResult {
  items: {
    resourceType: string;
    resourceId: string;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListTagsResult {
  items: {
    tag: string;
    count: number;
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListUserSessionsResult {
  items: Session[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersListUsersResult {
  items: UserProfile[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersLoginRequest {
  email: string;
  password: string;
}

export interface UsersMcpAuthorizationServerResult {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  /** With open registration */
  registration_endpoint?: string;
  revocation_endpoint: string;
  scopes_supported: string[];
  response_types_supported: string[];
  grant_types_supported: string[];
  code_challenge_methods_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  revocation_endpoint_auth_methods_supported: string[];
  client_id_metadata_document_supported: boolean;
  authorization_response_iss_parameter_supported: boolean;
}

export interface UsersMcpResourceResult {
  resource: string;
  authorization_servers: string[];
  scopes_supported: string[];
  bearer_methods_supported: string[];
  resource_name: string;
}

export interface UsersMcpTokenResult {
  access_token: string;
  token_type: "Bearer";
  /** In seconds */
  expires_in: number;
  refresh_token: string;
  /** Scopes, with a space between */
  scope: string;
}

export interface UsersMeResult {
  /** Any text for a user of another issuer */
  id: string;
  email: string;
  name: string;
  roles: string[];
  clientId: string;
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
  permissions: string[];
  /** Whether an administrator chose it; the web app asks for another one */
  passwordIsTemporary: boolean;
}

export interface UsersReadAuthorizationResult {
  clientName: string;
  clientHost: string | null;
  /** The address of the document that says who the client is */
  clientDocument: string | null;
  redirectHost: string;
  /** Whether it comes back to a program of the user's machine */
  isLocal: boolean;
  scopes: ("tool:use" | "tool:approve")[];
}

export interface UsersRefreshRequest {
  refreshToken: string;
}

export interface UsersRegisterMcpClientRequest {
  client_name?: string;
  redirect_uris: string[];
}

export interface UsersRegisterMcpClientResult {
  client_id: string;
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: string;
}

export interface UsersRevokeMcpTokenResult {}

export interface UsersRolePermissionsRequest {
  roles: string[];
}

export interface UsersRolePermissionsResult {
  roles: {
    name: string;
    permissions: UsersRolePermissionsResultRolesItemPermissionsItem[];
  }[];
}

export interface UsersRolePermissionsResultRolesItemPermissionsItem {
  action: string;
  subject: string;
  /**
   * On fields of the request, as a MongoDB query: {"model": {"$in":
   * ["openai/gpt-5"]}}
   */
  conditions?: {
    [name: string]:
      | string
      | number
      | boolean
      | { [name: string]: string | number | boolean | (string | number | boolean)[] };
  };
  /** Forbids what another permission allows */
  inverted?: boolean;
}

export interface UsersRolesOfUserResult {
  userId: string;
  roles: string[];
}

export interface UsersSetLabelsRequest {
  labelIds: string[];
}

export interface UsersSetTagsRequest {
  tags: string[];
}

export interface UsersSetUpRequest {
  code: string;
  password: string;
  email?: string;
  name?: string;
}

export interface UsersSetUpResult {
  email: string;
}

export interface UsersShareRequest {
  /** `source`: the folder or document with this id */
  resourceType: "conversation" | "folder" | "document" | "agent" | "template" | "source";
  resourceId: string;
  shares: UsersShareRequestSharesItem[];
}

export interface UsersShareRequestSharesItem {
  subjectType: "user" | "group";
  subjectId: string;
  accessRole: AccessRole;
}

export interface UsersShareResult {
  featureId: string;
  shares: Share[];
}

export interface UsersSharedWithMeResult {
  items: {
    resourceType: ResourceType;
    resourceId: string;
    role: AccessRole;
    /** Whether a folder above it is shared, not the resource itself */
    inherited: boolean;
    /** null: the owner is gone */
    ownerName: string | null;
    /** The shares that give it to the caller, the newest first */
    through: {
      subjectType: "user" | "group";
      /** Name of the group; empty for a share with the caller */
      name: string;
      /** null: the user is gone */
      grantedByName: string | null;
      createdAt: string;
    }[];
  }[];
  page: number;
  limit: number;
  total: number;
}

export interface UsersSignUpRequest {
  email: string;
  password: string;
  name: string;
}

export type UsersStartBrowserSessionRequest =
  | UsersStartBrowserSessionRequestForm1
  | UsersStartBrowserSessionRequestForm2;

export interface UsersStartBrowserSessionRequestForm1 {
  email: string;
  password: string;
}

export interface UsersStartBrowserSessionRequestForm2 {
  /** From the sign-in at an identity provider */
  code: string;
}

export interface UsersUserInfoResult {
  items: {
    id: string;
    name: string;
    email?: string;
  }[];
}

export interface VariantFigures {
  name: string;
  questions: number;
  /** Normalised discounted cumulative gain of the first ten */
  ndcgAt10: number;
  /** The share of what was expected that is among the first ten */
  recallAt10: number;
  /** The mean of 1 / rank of the first answer; 0 beyond the first ten */
  mrrAt10: number;
  /** The median time of a search */
  medianMs: number;
  /** Questions with no answer among the first ten; at most 20 */
  missed: string[];
  /** What failed without preventing an answer */
  warnings: RunError[];
}

export interface VectorStore {
  id: string;
  object: "vector_store";
  created_at: number;
  name: string;
  description: string | null;
  status: "in_progress" | "completed";
  usage_bytes: number;
  file_counts: VectorStoreFileCounts;
  last_active_at: number;
  metadata: { [name: string]: string };
  expires_after: null;
  expires_at: null;
}

export interface VectorStoreFileCounts {
  in_progress: number;
  completed: number;
  failed: number;
  cancelled: number;
  total: number;
}

export interface VisibleAgent {
  name: string;
  description: string;
  type: AgentType;
  instructions: string;
  /** null: the default model */
  model: string | null;
  /** Names of tools, or `toolset:name` for all of one, also those added later */
  tools: string[];
  /** For `workflow`: the flow that it runs */
  flowId: string | null;
  /**
   * How it looks for passages; what is not `cortex` answers from documents as well
   * where this is given
   */
  retrieval: AgentRetrieval | null;
  temperature: number | null;
  /**
   * For each turn of its model. One that a provider's protocol has no place for
   * fails the reply by name
   */
  parameters: ModelParameters;
  /** Which tool calls wait for a decision, where the message does not ask for more */
  approval: "destructive" | "always";
  /** Questions to begin with */
  starters: string[];
  icon: string | null;
  files: string[];
  folderId: string | null;
  id: string;
  ownerId: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  deletedAt?: string;
  /** What the caller may do: viewers use it, editors change it */
  role: AccessRole;
  /** Name of the owner; null if there is none */
  ownerName: string | null;
}

export interface Visit {
  /** The server chose it: show it, and open it only when asked to */
  address: string;
  /** Why, in the server's words */
  said?: string;
}

export type WaitsBecause = "open_world" | "label" | "sign_in" | "visit";

export interface WholeAgent {
  name: string;
  description?: string;
  type?: AgentType;
  instructions?: string;
  /** null: the default model */
  model?: string | null;
  /** Names of tools, or `toolset:name` for all of one, also those added later */
  tools?: string[];
  /** For `workflow`: the flow that it runs */
  flowId?: string | null;
  /**
   * How it looks for passages; what is not `cortex` answers from documents as well
   * where this is given
   */
  retrieval?: NewAgentRetrieval | null;
  temperature?: number | null;
  /**
   * For each turn of its model. One that a provider's protocol has no place for
   * fails the reply by name
   */
  parameters?: NewAgentParameters;
  /** Which tool calls wait for a decision, where the message does not ask for more */
  approval?: "destructive" | "always";
  /** Questions to begin with */
  starters?: string[];
  icon?: string | null;
  files?: string[];
  folderId?: string | null;
  /** The version that the change was made from; 409 when it is no longer the newest */
  baseVersion?: number;
}

export interface WholeConversation {
  id: string;
  title: string;
  userId: string;
  agentId: string | null;
  tags: string[];
  pinned: boolean;
  /** Attached documents, from which its replies are made */
  documents: string[];
  createdAt: string;
  updatedAt: string;
  deletedAt?: string;
  messages: ConversationMessage[];
}
