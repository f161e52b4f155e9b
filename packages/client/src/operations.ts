// Made by `npm run client-types` from the contracts of the services.
import type {
  Bytes,
  Call,
  JsonOrStreamCall,
  LinesCall,
  PagedCall,
  ServerEvent,
  StreamCall,
} from "./call-types.ts";
import type {
  AcceptedMedium,
  AccessRole,
  AccountNotice,
  Agent,
  AgentChange,
  AgentMessage,
  AgentRetrieval,
  AgentRunError,
  AgentScope,
  AgentType,
  AnsweredBy,
  AuditEntry,
  AutomationsChangeResult,
  AutomationsChangeSourceRequest,
  AutomationsCreateSourceResult,
  AutomationsInspectMediumRequest,
  AutomationsInspectMediumResult,
  AutomationsListRuleRunsResult,
  AutomationsListRunsResult,
  AutomationsListSchedulesResult,
  AutomationsListSourceItemsResult,
  AutomationsListSourcesResult,
  AutomationsMatchResult,
  AutomationsPreviewRuleResult,
  AutomationsPreviewScheduleRequest,
  AutomationsPreviewScheduleResult,
  AutomationsRemoveResult,
  AutomationsRenewSecretResult,
  AutomationsSource,
  AutomationsTakeMediumRequest,
  AvailableModel,
  AvailableModelChange,
  BackendAnswer,
  Branding,
  Budget,
  BudgetChange,
  Canvas,
  ChatRequest,
  Conversation,
  Conversion,
  CoreAgentCardResult,
  CoreAgentFilesResult,
  CoreAgentRpcResult,
  CoreAgentTrashResult,
  CoreAgentTreeResult,
  CoreAllowAddressRequest,
  CoreAnthropicMessageResult,
  CoreAnthropicTokensRequest,
  CoreAnthropicTokensResult,
  CoreApproveRequest,
  CoreApproveResult,
  CoreBudgetSpendingResult,
  CoreCanvasStateResult,
  CoreCanvasTrashResult,
  CoreChangeCanvasRequest,
  CoreChangeConversionRequest,
  CoreChangeFolderRequest,
  CoreChangeRequest,
  CoreChatCompletionsResult,
  CoreChatHistoryResult,
  CoreCompareWebPageRequest,
  CoreCompareWebPageResult,
  CoreConversationFilesResult,
  CoreConvertResult,
  CoreCreateCanvasVersionRequest,
  CoreCreateFolderRequest,
  CoreCreateOpenAiConversationRequest,
  CoreCreateOpenAiConversationResult,
  CoreDeleteAgentsRequest,
  CoreDeleteAgentsResult,
  CoreDeleteOpenAiConversationResult,
  CoreDeleteResponseResult,
  CoreDiffCanvasResult,
  CoreDiffVersionsResult,
  CoreExportTableRequest,
  CoreFillTemplateRequest,
  CoreFillTemplateResult,
  CoreFindLocalServersResult,
  CoreGenerateImagesRequest,
  CoreGenerateImagesResult,
  CoreGetCanvasResult,
  CoreGetVersionResult,
  CoreListAgentsResult,
  CoreListAgentsResultItemsItem,
  CoreListAllowedAddressesResult,
  CoreListAllowedAddressesResultItemsItem,
  CoreListAllowedToolsResult,
  CoreListAvailableModelsResult,
  CoreListBudgetsResult,
  CoreListCanvasVersionsResult,
  CoreListCanvasesResult,
  CoreListConversionsResult,
  CoreListFeedbackResult,
  CoreListFoldersResult,
  CoreListInputItemsResult,
  CoreListModelsResult,
  CoreListOpenAiConversationItemsResult,
  CoreListProviderHealthResult,
  CoreListProvidersResult,
  CoreListSearchEnginesResult,
  CoreListSearchEnginesResultItemsItem,
  CoreListSelectionsResult,
  CoreListTemplatesResult,
  CoreListToolServersResult,
  CoreListToolServersResultItemsItem,
  CoreListToolsetsResult,
  CoreListVersionsResult,
  CoreListViewContextsResult,
  CoreListViewContextsResultItemsItem,
  CoreListWaitingResult,
  CoreMakeSpeechRequest,
  CoreMakeTranscriptionRequest,
  CoreMakeTranscriptionResult,
  CoreMcpServersResultItem,
  CoreOpenAiImageEditsRequest,
  CoreOpenAiImagesRequest,
  CoreOpenAiImagesResult,
  CoreOpenAiModelResult,
  CoreOpenAiModelsResult,
  CoreOpenAiModerationRequest,
  CoreOpenAiModerationResult,
  CoreOpenAiSpeechRequest,
  CoreOpenAiTranscriptionRequest,
  CoreOrderSearchEnginesRequest,
  CoreOwnBudgetsResult,
  CorePutAgentsRequest,
  CoreRegenerateRequest,
  CoreSearchResult,
  CoreSendEventAnsweredByData,
  CoreSendEventApprovalData,
  CoreSendEventCanvasData,
  CoreSendEventConversationData,
  CoreSendEventDoneData,
  CoreSendEventErrorData,
  CoreSendEventLabelsData,
  CoreSendEventResearchData,
  CoreSendEventSourcesData,
  CoreSendEventTextDeltaData,
  CoreSendEventTitleData,
  CoreSendEventToolCallData,
  CoreSendEventToolOutputData,
  CoreSendEventToolResultData,
  CoreSendEventWarningData,
  CoreSendResult,
  CoreSetViewContextRequest,
  CoreStopRequest,
  CoreStopResult,
  CoreTagsResult,
  CoreTemplatesByIdsRequest,
  CoreTestNewSearchEngineRequest,
  CoreTestSearchEngineRequest,
  CoreTextCompletionsResult,
  CoreTrashResult,
  CoreUsableKindsResult,
  CoreUsageResult,
  CoreValidateAvailableModelsRequest,
  CoreValidateAvailableModelsResult,
  Cut,
  DeletedUser,
  DocumentSort,
  DocumentStatus,
  DocumentsAttachFileRequest,
  DocumentsChangeFolderRequest,
  DocumentsChangeRequest,
  DocumentsChangeStoreFileRequest,
  DocumentsChangeStoreRequest,
  DocumentsChunksResult,
  DocumentsCreateBatchRequest,
  DocumentsCreateBatchResult,
  DocumentsCreateFolderRequest,
  DocumentsCreateStoreRequest,
  DocumentsDeleteFileResult,
  DocumentsDeleteStoreResult,
  DocumentsDetachFileResult,
  DocumentsFolder,
  DocumentsListFilesResult,
  DocumentsListFoldersResult,
  DocumentsListResult,
  DocumentsListStoreFilesResult,
  DocumentsListStoresResult,
  DocumentsPreviewChunksRequest,
  DocumentsPreviewChunksResult,
  DocumentsReprocessRequest,
  DocumentsRetryFailedRequest,
  DocumentsSummaryResult,
  DocumentsUploadFileRequest,
  DocumentsUploadRequest,
  EmbeddingCancelModelChangeResult,
  EmbeddingChooseModelRequest,
  EmbeddingChooseModelResult,
  EmbeddingChunkMethodsResult,
  EmbeddingChunkRequestForm1,
  EmbeddingChunkResult,
  EmbeddingEmbedModelResult,
  EmbeddingEmbedRequest,
  EmbeddingEmbedResult,
  EmbeddingEmbedSingleRequest,
  EmbeddingEmbedSingleResult,
  EmbeddingEmbedStatusResult,
  EmbeddingModelCandidatesResult,
  EmbeddingOpenAiEmbeddingsRequest,
  EmbeddingOpenAiEmbeddingsResult,
  EmbeddingProcessRequestForm1,
  EmbeddingProcessResult,
  EmbeddingTestModelResult,
  EmbeddingTranslateBatchRequest,
  EmbeddingTranslateBatchResult,
  EmbeddingTranslateRequest,
  EmbeddingTranslationHealthResult,
  EngineChange,
  EngineTest,
  EnsuredTokens,
  EvaluationRequest,
  ExplainRequest,
  Explanation,
  FileObject,
  FileType,
  FinishReason,
  Flow,
  FlowAccount,
  FlowResult,
  FlowResultOutputsItem,
  Folder,
  GivenToolServer,
  Grant,
  Group,
  GroupChange,
  GroupGrant,
  IntegrationsAllHealthResult,
  IntegrationsEnsureAccountResult,
  IntegrationsFlowProviderHealthResult,
  IntegrationsGetFlowKeyResult,
  IntegrationsGetFlowResult,
  IntegrationsGrantFlowResult,
  IntegrationsGrantFlowToGroupResult,
  IntegrationsListFlowsResult,
  IntegrationsListGrantableFlowsResult,
  IntegrationsListPermissionsResult,
  IntegrationsListProvidersResult,
  IntegrationsProviderHealth,
  IntegrationsRefreshTokensResult,
  Label,
  LabelChange,
  Link,
  LinkSettings,
  ListedDefinition,
  Lock,
  Medium,
  MembershipSource,
  MessagesRequest,
  ModelChange,
  ModelEntry,
  ModelParameters,
  ModelsProviders,
  NewAgent,
  NewAvailableModel,
  NewBudget,
  NewCanvas,
  NewConversion,
  NewEngine,
  NewFlow,
  NewGroup,
  NewLabel,
  NewModel,
  NewProvider,
  NewReaction,
  NewRole,
  NewRule,
  NewSchedule,
  NewSource,
  NewTemplate,
  NewUser,
  OriginalPage,
  ParserParseAsyncResult,
  ParserParseStatusResult,
  ParserParserHealthResult,
  ParserParserInfoResult,
  ParserProbeDetailedResult,
  ParserProbeReadinessResult,
  ParserProcessDocumentResult,
  ProcessingSettings,
  Provider,
  ProviderChange,
  ProviderHealth,
  ProviderKind,
  ProviderProbe,
  ProviderTest,
  Reaction,
  ResourceType,
  ResponseRequest,
  ResponseView,
  RetrievalSearchRequest,
  RetrievalSimilaritySearchResult,
  RetrieveRequest,
  RetrieveResponse,
  Revocation,
  RevocationResult,
  Role,
  RoleChange,
  Rule,
  RuleChange,
  RulePreview,
  RuleRun,
  RuleScope,
  Run,
  RunError,
  RunFlow,
  RunRequest,
  RunResult,
  RunStatus,
  RunSummary,
  Schedule,
  ScheduleChange,
  Selection,
  SendMessage,
  ServerDeadLettersResult,
  ServerDiscardDeadLettersResult,
  ServerEventsEventReadyData,
  ServerHealthResult,
  ServerLivenessResult,
  ServerOpenApiResult,
  ServerQueuesResult,
  ServerReadinessResult,
  ServerRetryDeadLettersRequest,
  ServerRetryDeadLettersResult,
  Session,
  SimilaritySearch,
  SourceItem,
  StepStatus,
  StoreFile,
  StoreResults,
  StoredChunk,
  StoredDocument,
  StoredDocumentError,
  Template,
  TemplateChange,
  TextRequest,
  ThreadPage,
  Tokens,
  ToolAnnotations,
  ToolEffect,
  ToolGatewayApproveToolRequest,
  ToolGatewayApproveToolResult,
  ToolGatewayCallFromViewRequest,
  ToolGatewayCallFromViewResult,
  ToolGatewayClassifyToolRequest,
  ToolGatewayClientMetadataResult,
  ToolGatewayCompleteConnectionRequest,
  ToolGatewayCompleteConnectionResult,
  ToolGatewayConnectResult,
  ToolGatewayFillValuesRequest,
  ToolGatewayListClassifiedResult,
  ToolGatewayListClassifiedResultItemsItem,
  ToolGatewayListConnectionsResult,
  ToolGatewayListOfferedToolsResult,
  ToolGatewayListServersResult,
  ToolGatewayListViewResourcesRequest,
  ToolGatewayListViewResourcesResult,
  ToolGatewayListWithheldResult,
  ToolGatewayReadViewRequest,
  ToolGatewayReadViewResourceRequest,
  ToolGatewayReadViewResourceResult,
  ToolGatewayReadViewResult,
  ToolGatewayRefreshResult,
  ToolGatewayTestServerRequest,
  ToolGatewayTestServerResult,
  Translation,
  UploadedDocument,
  Usage,
  UserChange,
  UserProfile,
  UsersAppResult,
  UsersChangeBrandingRequest,
  UsersChangeExternalUserRequest,
  UsersChangeMeRequest,
  UsersChangeMeResult,
  UsersChangePasswordRequest,
  UsersChangePreferencesRequest,
  UsersCheckAccessBatchRequest,
  UsersCheckAccessBatchResult,
  UsersCheckAccessRequest,
  UsersCheckAccessResult,
  UsersConfirmRequest,
  UsersCreateApiKeyRequest,
  UsersCreateApiKeyResult,
  UsersCreateScimTokenRequest,
  UsersCreateScimTokenResult,
  UsersCreateUserResult,
  UsersDecideAuthorizationRequest,
  UsersDecideAuthorizationResult,
  UsersEndOtherSessionsResult,
  UsersExchangeRequest,
  UsersExplainAccessResult,
  UsersExplainPermissionsResult,
  UsersGetPreferencesResult,
  UsersGetTagsResult,
  UsersJwksResult,
  UsersLabelsOnResult,
  UsersLinkRequest,
  UsersLinkResult,
  UsersListApiKeysResult,
  UsersListAuditResult,
  UsersListDeletedUsersResult,
  UsersListExternalUsersResult,
  UsersListExternalUsersResultItemsItem,
  UsersListGrantsOfUsersResult,
  UsersListGroupsOfUserResult,
  UsersListGroupsResult,
  UsersListGroupsResultItemsItem,
  UsersListLabelsResult,
  UsersListLocksResult,
  UsersListMcpGrantsResult,
  UsersListMembersResult,
  UsersListNoticesResult,
  UsersListPermissionsResult,
  UsersListPinsResult,
  UsersListPinsResultItemsItem,
  UsersListProvidersResult,
  UsersListRolesResult,
  UsersListScimTokensResult,
  UsersListSessionsResult,
  UsersListSharesResult,
  UsersListSubjectsResult,
  UsersListTaggedResult,
  UsersListTagsResult,
  UsersListUserSessionsResult,
  UsersListUsersResult,
  UsersLoginRequest,
  UsersMcpAuthorizationServerResult,
  UsersMcpResourceResult,
  UsersMcpTokenResult,
  UsersMeResult,
  UsersReadAuthorizationResult,
  UsersRefreshRequest,
  UsersRegisterMcpClientRequest,
  UsersRegisterMcpClientResult,
  UsersRevokeMcpTokenResult,
  UsersRolePermissionsRequest,
  UsersRolePermissionsResult,
  UsersRolesOfUserResult,
  UsersSetLabelsRequest,
  UsersSetTagsRequest,
  UsersSetUpRequest,
  UsersSetUpResult,
  UsersShareRequest,
  UsersShareResult,
  UsersSharedWithMeResult,
  UsersSignUpRequest,
  UsersStartBrowserSessionRequest,
  UsersUserInfoResult,
  VariantFigures,
  VectorStore,
  VisibleAgent,
  WaitsBecause,
  WholeAgent,
  WholeConversation,
} from "./schemas.ts";

export interface Operations {
  /** Health, metrics, queues, events and this document. */
  server: {
    /**
     * Health of each part, and the background jobs.
     *
     * Others than administrators and services read the status alone where PORT is
     * reached from outside.
     *
     * For anybody, without a credential, programs of the same machine, services with
     * the shared secret and administrators. Needs the permission `queue:administer`,
     * which an API key has by its scopes.
     */
    health: Call<{}, ServerHealthResult>;
    /**
     * Health of each part, and the background jobs.
     *
     * Others than administrators and services read the status alone where PORT is
     * reached from outside.
     *
     * For anybody, without a credential, programs of the same machine, services with
     * the shared secret and administrators. Needs the permission `queue:administer`,
     * which an API key has by its scopes.
     */
    healthPlain: Call<{}, ServerHealthResult>;
    /**
     * Whether the process is alive; checks no dependency.
     *
     * For anybody, without a credential.
     */
    liveness: Call<{}, ServerLivenessResult>;
    /**
     * Whether the process is ready for requests.
     *
     * Others than administrators and services read the status alone where PORT is
     * reached from outside.
     *
     * For anybody, without a credential, programs of the same machine, services with
     * the shared secret and administrators. Needs the permission `queue:administer`,
     * which an API key has by its scopes.
     */
    readiness: Call<{}, ServerReadinessResult>;
    /**
     * Follow what changes for the caller, to read it again.
     *
     * One connection is enough for a browser, whatever it shows. Changes may be lost;
     * after a reconnection with `Last-Event-ID` the first event is `resync`.
     *
     * For users with an access token or an API key.
     */
    events: StreamCall<
      {
        query?: {
          /**
           * For how long the client has shown data without a connection. Where something may
           * have changed in that time, the first event is `resync`
           */
          unseenForMs?: number;
        };
      },
      | ServerEvent<"ready", ServerEventsEventReadyData>
      | ServerEvent<"resync", ServerEventsEventReadyData>
      | ServerEvent<
          | "conversation"
          | "document"
          | "agent"
          | "canvas"
          | "template"
          | "conversion"
          | "automation"
          | "run"
          | "approval"
          | "share"
          | "label"
          | "lock"
          | "session"
          | "user"
          | "group"
          | "role"
          | "provider"
          | "model"
          | "tool-server"
          | "search-engine"
          | "budget"
          | "flow"
          | "embedding-model"
          | "queue"
          | "app",
          {
            /** null: anything of this kind, such as a list */
            id: string | null;
          }
        >
    >;
    /**
     * Queues of the installation, with the messages that wait and the dead letters.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `queue:administer`, which an API key has by its scopes.
     */
    queues: Call<{}, ServerQueuesResult>;
    /**
     * Dead letters of a queue: messages that failed on every attempt, with the last
     * error.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `queue:administer`, which an API key has by its scopes.
     */
    deadLetters: PagedCall<
      {
        params: {
          name: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      ServerDeadLettersResult,
      {
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
      }
    >;
    /**
     * Delete dead letters: all of the queue, or those with the given ids.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `queue:administer`, which an API key has by its scopes.
     */
    discardDeadLetters: Call<
      {
        params: {
          name: string;
        };
        query?: {
          /** Separated by commas; at most 100 */
          ids?: string;
        };
      },
      ServerDiscardDeadLettersResult
    >;
    /**
     * Retry dead letters: all of the queue, or those with the given ids.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `queue:administer`, which an API key has by its scopes.
     */
    retryDeadLetters: Call<
      {
        params: {
          name: string;
        };
        body: ServerRetryDeadLettersRequest;
      },
      ServerRetryDeadLettersResult
    >;
    /**
     * Prometheus metrics.
     *
     * For programs of the same machine, services with the shared secret and
     * administrators. Needs the permission `queue:administer`, which an API key has by
     * its scopes.
     */
    metrics: Call<{}, Response>;
    /**
     * This API as OpenAPI 3.1.
     *
     * For anybody, without a credential.
     */
    openApi: Call<{}, ServerOpenApiResult>;
  };
  /** Accounts, sign-in, groups, roles, API keys, sharing, labels and the audit log. */
  users: {
    /**
     * List the organisation's users of another issuer.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    listExternalUsers: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Part of the name or email */
          query?: string;
          disabled?: boolean;
        };
      },
      UsersListExternalUsersResult,
      UsersListExternalUsersResultItemsItem
    >;
    /**
     * Disable a user of another issuer: tokens, keys, grants and open streams end at
     * once.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    changeExternalUser: Call<
      {
        params: {
          userId: string;
        };
        body: UsersChangeExternalUserRequest;
      },
      UsersListExternalUsersResultItemsItem
    >;
    /**
     * Delete a user of another issuer, and delete or transfer their data.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    deleteExternalUser: Call<
      {
        params: {
          userId: string;
        };
        query?: {
          /** The user who receives the data; without it the data is deleted */
          transferTo?: string;
        };
      },
      void
    >;
    /**
     * List deleted users, the last first, and what of their data is left.
     *
     * Each service deletes or transfers its part of the data, and tries again when it
     * fails. After the last attempt the message is in the dead letters of
     * `user_deletions_<service>`, from which an administrator of the installation
     * sends it again.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    listDeletedUsers: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Only those whose data is not gone everywhere */
          open?: boolean;
        };
      },
      UsersListDeletedUsersResult,
      DeletedUser
    >;
    /**
     * Sign in a browser: sets the session cookie.
     *
     * The cookie is HttpOnly, so pages never hold a token. Send `X-Parlance: 1` here
     * and with every later request that changes something; such requests are accepted
     * from pages of this server alone (403 `cross_site_refused`). A session that the
     * browser had before ends.
     *
     * For anybody, without a credential.
     */
    startBrowserSession: Call<{ body: UsersStartBrowserSessionRequest }, Session>;
    /**
     * Prove by the password that it is you, before you get at data of others.
     *
     * For the session of this request, as a sign-in does. Without a password, sign in
     * at the identity provider with `fresh=true`. Wrong passwords count as at sign-in.
     *
     * For users with an access token.
     */
    confirm: Call<{ body: UsersConfirmRequest }, void>;
    /**
     * List the caller's open sessions, last used first.
     *
     * For users with an access token.
     */
    listSessions: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListSessionsResult,
      {
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
      }
    >;
    /**
     * End all of the caller's sessions except this one, and what was granted to
     * clients of MCP.
     *
     * For users with an access token.
     */
    endOtherSessions: Call<{}, UsersEndOtherSessionsResult>;
    /**
     * End one of the caller's sessions.
     *
     * For users with an access token.
     */
    endOneSession: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List what administrators did to the caller's account, newest first.
     *
     * For users with an access token or an API key.
     */
    listNotices: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListNoticesResult,
      AccountNotice
    >;
    /**
     * Mark the notices about the caller's account as read.
     *
     * For users with an access token.
     */
    readNotices: Call<{}, void>;
    /**
     * Read what this installation offers, for the first page.
     *
     * For anybody, without a credential.
     */
    app: Call<{}, UsersAppResult>;
    /**
     * Replace the printed password of the first administrator, once.
     *
     * `code` is the password that the first start printed. Answers with the email to
     * sign in with. 409 `already_set_up` when the administrator has another password.
     *
     * For anybody, without a credential.
     */
    setUp: Call<{ body: UsersSetUpRequest }, UsersSetUpResult>;
    /**
     * Change the name, colour and logo of the installation, and its notice.
     *
     * Fields that are left out stay as they are; null restores the default.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `branding:administer`, which an API key has by its scopes.
     */
    changeBranding: Call<{ body: UsersChangeBrandingRequest }, Branding>;
    /**
     * Read the logo of the installation.
     *
     * For anybody, without a credential.
     */
    logo: Call<{}, Response>;
    /**
     * Who signs users in for /mcp (RFC 9728).
     *
     * For anybody, without a credential.
     */
    mcpResource: Call<{}, UsersMcpResourceResult>;
    /**
     * The same for /mcp/{server}, whether there is one or not.
     *
     * For anybody, without a credential.
     */
    mcpServerResource: Call<
      {
        params: {
          server: string;
        };
      },
      UsersMcpResourceResult
    >;
    /**
     * The same, for clients that look here.
     *
     * For anybody, without a credential.
     */
    mcpResourceAtRoot: Call<{}, UsersMcpResourceResult>;
    /**
     * How clients of MCP are signed in (RFC 8414).
     *
     * For anybody, without a credential.
     */
    mcpAuthorizationServer: Call<{}, UsersMcpAuthorizationServerResult>;
    /**
     * Register a client of MCP (RFC 7591).
     *
     * For anybody, without a credential.
     */
    registerMcpClient: Call<
      { body: UsersRegisterMcpClientRequest },
      UsersRegisterMcpClientResult
    >;
    /**
     * Exchange a code, or renew a token, of a client of MCP.
     *
     * A form (`application/x-www-form-urlencoded`) as in RFC 6749. A code is exchanged
     * once, and a token renews once, beside ten seconds of grace: later use ends what
     * was granted.
     *
     * For anybody, without a credential.
     */
    mcpToken: Call<{}, UsersMcpTokenResult>;
    /**
     * End what was granted to a client of MCP, by one of its tokens (RFC 7009).
     *
     * For anybody, without a credential.
     */
    revokeMcpToken: Call<{}, UsersRevokeMcpTokenResult>;
    /**
     * Read what a client of MCP asks for, before granting it.
     *
     * For users with an access token. Needs the permission `tool:use`, which an API
     * key has by its scopes.
     */
    readAuthorization: Call<
      {
        query: {
          response_type?: string;
          client_id: string;
          redirect_uri: string;
          code_challenge?: string;
          code_challenge_method?: string;
          scope?: string;
          state?: string;
          resource?: string;
        };
      },
      UsersReadAuthorizationResult
    >;
    /**
     * Grant a client of MCP what it asks for, or refuse it.
     *
     * For users with an access token. Needs the permission `tool:use`, which an API
     * key has by its scopes.
     */
    decideAuthorization: Call<
      { body: UsersDecideAuthorizationRequest },
      UsersDecideAuthorizationResult
    >;
    /**
     * List the clients of MCP that may use tools for you, each once.
     *
     * For users with an access token.
     */
    listMcpGrants: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListMcpGrantsResult,
      {
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
      }
    >;
    /**
     * Take from a client of MCP what you granted, on all its machines.
     *
     * For users with an access token.
     */
    deleteMcpGrant: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List what the users of the organisation granted to clients of MCP.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    listGrantsOfUsers: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Of one user alone */
          userId?: string;
        };
      },
      UsersListGrantsOfUsersResult,
      {
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
      }
    >;
    /**
     * Take from a client of MCP what a user granted, on all its machines.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    deleteGrantOfUser: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * Sign in.
     *
     * For anybody, without a credential.
     */
    login: Call<{ body: UsersLoginRequest }, Tokens>;
    /**
     * Exchange a refresh token for new tokens; it works once.
     *
     * Within ten seconds a used refresh token is accepted again, since two tabs or
     * threads may refresh at the same time. Later use ends the session.
     *
     * For anybody, without a credential.
     */
    refresh: Call<{ body: UsersRefreshRequest }, Tokens>;
    /**
     * End this session.
     *
     * For users with an access token.
     */
    logout: Call<{}, void>;
    /**
     * Read the signed-in user and their permissions.
     *
     * For users with an access token or an API key.
     */
    me: Call<{}, UsersMeResult>;
    /**
     * Change the caller's name.
     *
     * For users with an access token or an API key. Needs the permission
     * `account:update`, which an API key has by its scopes.
     */
    changeMe: Call<{ body: UsersChangeMeRequest }, UsersChangeMeResult>;
    /**
     * Change the caller's password and end all their sessions.
     *
     * For users with an access token.
     */
    changePassword: Call<{ body: UsersChangePasswordRequest }, void>;
    /**
     * Create an account, where sign-up is enabled.
     *
     * For anybody, without a credential.
     */
    signUp: Call<{ body: UsersSignUpRequest }, UserProfile>;
    /**
     * Public keys that verify access tokens (RFC 7517).
     *
     * For anybody, without a credential.
     */
    jwks: Call<{}, UsersJwksResult>;
    /**
     * Create an API key; only this response contains it.
     *
     * For users with an access token.
     */
    createApiKey: Call<{ body: UsersCreateApiKeyRequest }, UsersCreateApiKeyResult>;
    /**
     * List the caller's API keys.
     *
     * For users with an access token.
     */
    listApiKeys: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListApiKeysResult,
      {
        id: string;
        name: string;
        /** null: everything that its user may do, except administration */
        scopes: string[] | null;
        /** Tools that it may run at `/mcp`: `server` or `server/tool`; null: all */
        tools: string[] | null;
        expiresAt: string | null;
        lastUsedAt: string | null;
        createdAt: string;
      }
    >;
    /**
     * Revoke an API key.
     *
     * For users with an access token.
     */
    deleteApiKey: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List the users of the caller's organisation.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    listUsers: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Part of the name or email */
          query?: string;
          /** Only users who have it themselves or through a group */
          role?: string;
          disabled?: boolean;
          sort?: "created" | "name";
        };
      },
      UsersListUsersResult,
      UserProfile
    >;
    /**
     * Create a user.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    createUser: Call<{ body: NewUser }, UsersCreateUserResult>;
    /**
     * Read a user.
     *
     * For administrators and services with the secret of the user service. Needs the
     * permission `user:administer`, which an API key has by its scopes.
     */
    getUser: Call<
      {
        params: {
          id: string;
        };
      },
      UserProfile
    >;
    /**
     * Change a user; disabling a user ends their sessions and API keys at once.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    changeUser: Call<
      {
        params: {
          id: string;
        };
        body: UserChange;
      },
      UserProfile
    >;
    /**
     * Delete a user, and delete or transfer their data.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    deleteUser: Call<
      {
        params: {
          id: string;
        };
        query?: {
          /** The user who receives the data; without it the data is deleted */
          transferTo?: string;
        };
      },
      void
    >;
    /**
     * Export all data of a user, one JSON object per line.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    exportUser: LinesCall<
      {
        params: {
          id: string;
        };
      },
      string
    >;
    /**
     * Export all data of the caller, one JSON object per line.
     *
     * For users with an access token or an API key. Needs the permission
     * `account:export`, which an API key has by its scopes.
     */
    exportMe: LinesCall<{}, string>;
    /**
     * List the identity providers for signing in.
     *
     * For anybody, without a credential.
     */
    listProviders: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListProvidersResult,
      {
        name: string;
        displayName: string;
        /** Open this to start the sign-in */
        url: string;
      }
    >;
    /**
     * Callback of the identity provider.
     *
     * For anybody, without a credential.
     */
    finishSignIn: Call<
      {
        params: {
          provider: string;
        };
        query?: {
          state?: string;
          code?: string;
        };
      },
      Tokens
    >;
    /**
     * End the sessions that came from one of the identity provider, which has ended.
     *
     * OpenID Connect Back-Channel Logout 1.0: the provider sends `logout_token` as a
     * form.
     *
     * For anybody, without a credential.
     */
    endProviderSession: Call<
      {
        params: {
          provider: string;
        };
      },
      void
    >;
    /**
     * Link the account with the same email, by its password; answers the code to
     * exchange.
     *
     * For anybody, without a credential.
     */
    link: Call<{ body: UsersLinkRequest }, UsersLinkResult>;
    /**
     * Exchange the code of a sign-in for tokens; valid once, for one minute.
     *
     * For anybody, without a credential.
     */
    exchange: Call<{ body: UsersExchangeRequest }, Tokens>;
    /**
     * Share a resource that the caller owns.
     *
     * Sharing again with the same user or group changes the role.
     *
     * For users with an access token or an API key. Needs the permission
     * `share:create`, which an API key has by its scopes.
     */
    share: Call<{ body: UsersShareRequest }, UsersShareResult>;
    /**
     * List the shares of a resource; for its owners.
     *
     * For users with an access token or an API key. Needs the permission `share:read`,
     * which an API key has by its scopes.
     */
    listShares: PagedCall<
      {
        params: {
          /** `source`: the folder or document with this id */
          resourceType:
            | "conversation"
            | "folder"
            | "document"
            | "agent"
            | "template"
            | "source";
          resourceId: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListSharesResult,
      {
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
      }
    >;
    /**
     * Revoke a share: as an owner, or as the user who received it.
     *
     * For users with an access token or an API key. Needs the permission
     * `share:delete`, which an API key has by its scopes.
     */
    deleteShare: Call<
      {
        params: {
          shareId: string;
        };
      },
      void
    >;
    /**
     * List what others shared with the caller, without the contents of shared folders.
     *
     * For users with an access token or an API key. Needs the permission `share:read`,
     * which an API key has by its scopes.
     */
    sharedWithMe: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          resourceType?: ResourceType;
          /** Only what was shared from then on, the newest first */
          since?: string;
        };
      },
      UsersSharedWithMeResult,
      {
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
      }
    >;
    /**
     * Say why the caller has access to a resource.
     *
     * Every ground, the strongest first, at most 50. 404 without access.
     *
     * For users with an access token or an API key. Needs the permission `share:read`,
     * which an API key has by its scopes.
     */
    explainAccess: Call<
      {
        params: {
          /** `source`: the folder or document with this id */
          resourceType:
            | "conversation"
            | "folder"
            | "document"
            | "agent"
            | "template"
            | "source";
          resourceId: string;
        };
      },
      UsersExplainAccessResult
    >;
    /**
     * Read the link settings of a resource; for its owners.
     *
     * For users with an access token or an API key. Needs the permission `share:read`,
     * which an API key has by its scopes.
     */
    getLink: Call<
      {
        params: {
          /** `source`: the folder or document with this id */
          resourceType:
            | "conversation"
            | "folder"
            | "document"
            | "agent"
            | "template"
            | "source";
          resourceId: string;
        };
      },
      Link
    >;
    /**
     * Set who may open a resource by its link, in which role and until when.
     *
     * For users with an access token or an API key. Needs the permission
     * `share:create`, which an API key has by its scopes.
     */
    setLink: Call<
      {
        params: {
          /** `source`: the folder or document with this id */
          resourceType:
            | "conversation"
            | "folder"
            | "document"
            | "agent"
            | "template"
            | "source";
          resourceId: string;
        };
        body: LinkSettings;
      },
      Link
    >;
    /**
     * Find users and groups to share with by the beginning of their name or email.
     *
     * For users with an access token or an API key. Needs the permission
     * `directory:read`, which an API key has by its scopes.
     */
    listSubjects: PagedCall<
      {
        query: {
          page?: number;
          limit?: number;
          query: string;
        };
      },
      UsersListSubjectsResult,
      {
        subjectType: "user" | "group";
        subjectId: string;
        name: string;
      }
    >;
    /**
     * Check whether a user has access to a resource, and in which role.
     *
     * Users may ask about themselves, and owners of the resource about any user.
     *
     * For services with the secret of the user service and users with an access token
     * or an API key. Needs the permission `share:read`, which an API key has by its
     * scopes.
     */
    checkAccess: Call<{ body: UsersCheckAccessRequest }, UsersCheckAccessResult>;
    /**
     * Check access to many resources; answers keep the order of the questions.
     *
     * Users may ask about themselves, and owners of a resource about any user. A
     * resource about which the caller may not ask is answered like one without access.
     *
     * For services with the secret of the user service and users with an access token
     * or an API key. Needs the permission `share:read`, which an API key has by its
     * scopes.
     */
    checkAccessBatch: Call<
      { body: UsersCheckAccessBatchRequest },
      UsersCheckAccessBatchResult
    >;
    /**
     * List the labels of the organisation, by name.
     *
     * For users with an access token or an API key. Needs the permission `share:read`,
     * which an API key has by its scopes.
     */
    listLabels: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListLabelsResult,
      Label
    >;
    /**
     * Define a label and its rule.
     *
     * For administrators. Needs the permission `label:administer`, which an API key
     * has by its scopes.
     */
    createLabel: Call<{ body: NewLabel }, Label>;
    /**
     * Change a label or its rule, which holds for every run that begins after it.
     *
     * For administrators. Needs the permission `label:administer`, which an API key
     * has by its scopes.
     */
    changeLabel: Call<
      {
        params: {
          id: string;
        };
        body: LabelChange;
      },
      Label
    >;
    /**
     * Delete a label: whatever carries it carries it no more.
     *
     * For administrators. Needs the permission `label:administer`, which an API key
     * has by its scopes.
     */
    deleteLabel: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List the labels in effect on a resource: its own, and those of folders above it.
     *
     * For users with an access token or an API key. Needs the permission `share:read`,
     * which an API key has by its scopes.
     */
    labelsOn: Call<
      {
        params: {
          /** `source`: the folder or document with this id */
          resourceType:
            | "conversation"
            | "folder"
            | "document"
            | "agent"
            | "template"
            | "source";
          resourceId: string;
        };
      },
      UsersLabelsOnResult
    >;
    /**
     * Set the labels of a resource that the caller owns or administers.
     *
     * Those of folders above it stay in effect. Taking one off needs what its rule
     * says: 403 `label_removal_refused`. A resource that is shared beyond what a label
     * permits is 409 `label_shared_outside`.
     *
     * For users with an access token or an API key. Needs the permission
     * `share:create`, which an API key has by its scopes.
     */
    setLabels: Call<
      {
        params: {
          /** `source`: the folder or document with this id */
          resourceType:
            | "conversation"
            | "folder"
            | "document"
            | "agent"
            | "template"
            | "source";
          resourceId: string;
        };
        body: UsersSetLabelsRequest;
      },
      UsersLabelsOnResult
    >;
    /**
     * Acquire or renew the lock of a resource that the caller may edit.
     *
     * For users with an access token or an API key. Needs the permission
     * `lock:update`, which an API key has by its scopes.
     */
    acquireLock: Call<
      {
        params: {
          /** `source`: the folder or document with this id */
          resourceType:
            | "conversation"
            | "folder"
            | "document"
            | "agent"
            | "template"
            | "source";
          resourceId: string;
        };
      },
      Lock
    >;
    /**
     * Read who holds the lock of a resource; 404 `not_locked` when nobody does.
     *
     * For users with an access token or an API key. Needs the permission `lock:read`,
     * which an API key has by its scopes.
     */
    getLock: Call<
      {
        params: {
          /** `source`: the folder or document with this id */
          resourceType:
            | "conversation"
            | "folder"
            | "document"
            | "agent"
            | "template"
            | "source";
          resourceId: string;
        };
      },
      Lock
    >;
    /**
     * Release the caller's lock.
     *
     * For users with an access token or an API key. Needs the permission
     * `lock:update`, which an API key has by its scopes.
     */
    releaseLock: Call<
      {
        params: {
          /** `source`: the folder or document with this id */
          resourceType:
            | "conversation"
            | "folder"
            | "document"
            | "agent"
            | "template"
            | "source";
          resourceId: string;
        };
      },
      void
    >;
    /**
     * List the locks that users of the organisation hold now, newest first.
     *
     * For administrators. Needs the permission `lock:administer`, which an API key has
     * by its scopes.
     */
    listLocks: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListLocksResult,
      {
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
      }
    >;
    /**
     * Release the lock of any user.
     *
     * For administrators. Needs the permission `lock:administer`, which an API key has
     * by its scopes.
     */
    forceRelease: Call<
      {
        params: {
          featureId: string;
        };
      },
      void
    >;
    /**
     * List all groups, by name.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    listGroups: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Part of the name */
          query?: string;
          /** Only groups in which this group is nested */
          containing?: string;
        };
      },
      UsersListGroupsResult,
      UsersListGroupsResultItemsItem
    >;
    /**
     * Create a group.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    createGroup: Call<{ body: NewGroup }, Group>;
    /**
     * Read a group.
     *
     * For administrators and services with the secret of the user service. Needs the
     * permission `group:administer`, which an API key has by its scopes.
     */
    getGroup: Call<
      {
        params: {
          id: string;
        };
      },
      Group
    >;
    /**
     * Change a group.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    changeGroup: Call<
      {
        params: {
          id: string;
        };
        body: GroupChange;
      },
      Group
    >;
    /**
     * Delete a group and every share with it.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    deleteGroup: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List the members of a group.
     *
     * For administrators and services with the secret of the user service. Needs the
     * permission `group:administer`, which an API key has by its scopes.
     */
    listMembers: PagedCall<
      {
        params: {
          id: string;
        };
        query?: {
          page?: number;
          limit?: number;
          /** Include members of nested groups and members by the identity provider */
          effective?: boolean;
          /** Part of the name or email */
          query?: string;
          sort?: "id" | "name";
          /** For services: the tenant that the group must belong to */
          clientId?: string;
        };
      },
      UsersListMembersResult,
      {
        userId: string;
        name: string | null;
        email: string | null;
        /** Through what; the first 20 */
        sources: MembershipSource[];
      }
    >;
    /**
     * Add a user to a group.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    addMember: Call<
      {
        params: {
          id: string;
          userId: string;
        };
      },
      void
    >;
    /**
     * Remove a user from a group.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    removeMember: Call<
      {
        params: {
          id: string;
          userId: string;
        };
      },
      void
    >;
    /**
     * List the groups nested in a group.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    listNested: PagedCall<
      {
        params: {
          id: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListGroupsResult,
      UsersListGroupsResultItemsItem
    >;
    /**
     * Nest a group: its members become members of this group too.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    nestGroup: Call<
      {
        params: {
          id: string;
          groupId: string;
        };
      },
      void
    >;
    /**
     * Remove a nested group.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    unnestGroup: Call<
      {
        params: {
          id: string;
          groupId: string;
        };
      },
      void
    >;
    /**
     * Read what a user may do, and which role grants or forbids it.
     *
     * All permissions, also those that the user lacks. `roles` are those that count:
     * without any known role the user has the role `user`.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    explainPermissions: Call<
      {
        params: {
          id: string;
        };
      },
      UsersExplainPermissionsResult
    >;
    /**
     * List the groups that a user is a member of, and through what.
     *
     * For administrators. Needs the permission `group:administer`, which an API key
     * has by its scopes.
     */
    listGroupsOfUser: PagedCall<
      {
        params: {
          id: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListGroupsOfUserResult,
      {
        id: string;
        name: string;
        sources: MembershipSource[];
      }
    >;
    /**
     * List the open sessions of a user, last used first.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    listUserSessions: PagedCall<
      {
        params: {
          id: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListUserSessionsResult,
      Session
    >;
    /**
     * End all sessions of a user, and what they granted to clients of MCP; API keys
     * stay.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    endUserSessions: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List all permissions that roles grant and scopes of API keys name.
     *
     * For users with an access token or an API key.
     */
    listPermissions: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListPermissionsResult,
      {
        name: string;
        resource: string;
        action: string;
        description: string;
      }
    >;
    /**
     * The roles of a user, those of groups too; users may ask for their own,
     * administrators for any user's.
     *
     * For services with the secret of the user service and users with an access token
     * or an API key. Needs the permission `role:read`, which an API key has by its
     * scopes.
     */
    rolesOfUser: Call<
      {
        params: {
          userId: string;
        };
      },
      UsersRolesOfUserResult
    >;
    /**
     * List the permissions of roles; unknown roles are left out.
     *
     * For services with the secret of the user service and users with an access token
     * or an API key. Needs the permission `role:read`, which an API key has by its
     * scopes.
     */
    rolePermissions: Call<
      { body: UsersRolePermissionsRequest },
      UsersRolePermissionsResult
    >;
    /**
     * List all roles.
     *
     * For administrators. Needs the permission `role:administer`, which an API key has
     * by its scopes.
     */
    listRoles: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListRolesResult,
      Role
    >;
    /**
     * Create a role.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `role:administer`, which an API key has by its scopes.
     */
    createRole: Call<{ body: NewRole }, Role>;
    /**
     * Read a role.
     *
     * For administrators. Needs the permission `role:administer`, which an API key has
     * by its scopes.
     */
    getRole: Call<
      {
        params: {
          name: string;
        };
      },
      Role
    >;
    /**
     * Change a role that is not built in; effective from the next request.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `role:administer`, which an API key has by its scopes.
     */
    changeRole: Call<
      {
        params: {
          name: string;
        };
        body: RoleChange;
      },
      Role
    >;
    /**
     * Delete a role that no user and no group has.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `role:administer`, which an API key has by its scopes.
     */
    deleteRole: Call<
      {
        params: {
          name: string;
        };
      },
      void
    >;
    /**
     * List the audit log, newest entries first.
     *
     * For administrators. Needs the permission `audit:administer`, which an API key
     * has by its scopes.
     */
    listAudit: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          actorId?: string;
          /** An action (share.created), or a prefix that ends with a dot (share.) */
          action?: string;
          resourceType?: string;
          resourceId?: string;
          from?: string;
          /** Exclusive */
          to?: string;
        };
      },
      UsersListAuditResult,
      AuditEntry
    >;
    /**
     * Export the audit log as CSV, or as one JSON object per line.
     *
     * For administrators. Needs the permission `audit:administer`, which an API key
     * has by its scopes.
     */
    exportAudit: Call<
      {
        query?: {
          actorId?: string;
          /** An action (share.created), or a prefix that ends with a dot (share.) */
          action?: string;
          resourceType?: string;
          resourceId?: string;
          from?: string;
          /** Exclusive */
          to?: string;
          format?: "csv" | "json";
        };
      },
      Response
    >;
    /**
     * List the caller's pins, newest first.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:read`, which an API key has by its
     * scopes.
     */
    listPins: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          resourceType?: string;
          /** For services: the user */
          userId?: string;
        };
      },
      UsersListPinsResult,
      UsersListPinsResultItemsItem
    >;
    /**
     * Add a pin.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:update`, which an API key has by its
     * scopes.
     */
    addPin: Call<
      {
        params: {
          resourceType: string;
          resourceId: string;
        };
        query?: {
          /** For services: the user */
          userId?: string;
        };
      },
      void
    >;
    /**
     * Remove a pin.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:update`, which an API key has by its
     * scopes.
     */
    removePin: Call<
      {
        params: {
          resourceType: string;
          resourceId: string;
        };
        query?: {
          /** For services: the user */
          userId?: string;
        };
      },
      void
    >;
    /**
     * List the caller's favorites, newest first.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:read`, which an API key has by its
     * scopes.
     */
    listFavorites: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          resourceType?: string;
          /** For services: the user */
          userId?: string;
        };
      },
      UsersListPinsResult,
      UsersListPinsResultItemsItem
    >;
    /**
     * Add a favourite.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:update`, which an API key has by its
     * scopes.
     */
    addFavorite: Call<
      {
        params: {
          resourceType: string;
          resourceId: string;
        };
        query?: {
          /** For services: the user */
          userId?: string;
        };
      },
      void
    >;
    /**
     * Remove a favourite.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:update`, which an API key has by its
     * scopes.
     */
    removeFavorite: Call<
      {
        params: {
          resourceType: string;
          resourceId: string;
        };
        query?: {
          /** For services: the user */
          userId?: string;
        };
      },
      void
    >;
    /**
     * List the caller's tags with the number of uses of each.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:read`, which an API key has by its
     * scopes.
     */
    listTags: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          resourceType?: string;
          /** For services: the user */
          userId?: string;
        };
      },
      UsersListTagsResult,
      {
        tag: string;
        count: number;
      }
    >;
    /**
     * List the resources with a tag of the caller.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:read`, which an API key has by its
     * scopes.
     */
    listTagged: PagedCall<
      {
        params: {
          tag: string;
        };
        query?: {
          page?: number;
          limit?: number;
          resourceType?: string;
          /** For services: the user */
          userId?: string;
        };
      },
      UsersListTaggedResult,
      {
        resourceType: string;
        resourceId: string;
      }
    >;
    /**
     * List the caller's tags of a resource.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:read`, which an API key has by its
     * scopes.
     */
    getTags: Call<
      {
        params: {
          resourceType: string;
          resourceId: string;
        };
        query?: {
          /** For services: the user */
          userId?: string;
        };
      },
      UsersGetTagsResult
    >;
    /**
     * Replace the caller's tags of a resource.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `mark:update`, which an API key has by its
     * scopes.
     */
    setTags: Call<
      {
        params: {
          resourceType: string;
          resourceId: string;
        };
        query?: {
          /** For services: the user */
          userId?: string;
        };
        body: UsersSetTagsRequest;
      },
      UsersGetTagsResult
    >;
    /**
     * Read the caller's preferences, as clients store them.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `account:read`, which an API key has by its
     * scopes.
     */
    getPreferences: Call<
      {
        query?: {
          /** For services: the user */
          userId?: string;
        };
      },
      UsersGetPreferencesResult
    >;
    /**
     * Change some preferences; null removes a preference.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `account:update`, which an API key has by its
     * scopes.
     */
    changePreferences: Call<
      {
        query?: {
          /** For services: the user */
          userId?: string;
        };
        body: UsersChangePreferencesRequest;
      },
      UsersGetPreferencesResult
    >;
    /**
     * Read the names of users of the caller's organisation by id; unknown ids are left
     * out.
     *
     * For users with an access token or an API key and services with the secret of the
     * user service. Needs the permission `directory:read`, which an API key has by its
     * scopes.
     */
    userInfo: Call<
      {
        query: {
          ids: string;
          /** For services: only users of this tenant */
          clientId?: string;
        };
      },
      UsersUserInfoResult
    >;
    /**
     * The caller's account at the flow provider; for services, the account of
     * `userId`.
     *
     * For services with the secret of the user service and users with an access token.
     * Needs the permission `flow:run`, which an API key has by its scopes.
     */
    getFlowAccount: Call<
      {
        query?: {
          userId?: string;
        };
      },
      FlowAccount
    >;
    /**
     * List the SCIM tokens of the caller's organisation, newest first.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    listScimTokens: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      UsersListScimTokensResult,
      {
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
      }
    >;
    /**
     * Create a SCIM token; only this response contains it.
     *
     * Whoever has the token may create, change, disable and delete every user of the
     * organisation, and put users into groups that give roles. So only administrators
     * who may do all that the role `admin` permits make one, and prove who they are.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    createScimToken: Call<
      { body: UsersCreateScimTokenRequest },
      UsersCreateScimTokenResult
    >;
    /**
     * Revoke a SCIM token: its identity provider is refused from the next request on.
     *
     * For administrators. Needs the permission `user:administer`, which an API key has
     * by its scopes.
     */
    revokeScimToken: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
  };
  /**
   * Conversations, replies, agents, models, canvases, budgets, and the APIs of
   * OpenAI and Anthropic.
   */
  core: {
    /**
     * List the files of a conversation, as code sees them; the newest first.
     *
     * What code wrote, the newest of each name, and the attached documents that the
     * caller may see.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    conversationFiles: PagedCall<
      {
        params: {
          conversationId: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreConversationFilesResult,
      {
        id: string;
        /** `written`: by code; `attached`: a document of a message, whose `id` it has */
        kind: "written" | "attached";
        /** In the folder that code sees */
        name: string;
        mediaType: string;
        size: number;
        createdAt: string;
      }
    >;
    /**
     * Delete a file that code wrote, with the earlier ones of its name.
     *
     * A session that runs keeps its copy until it ends. Attached documents are not
     * deleted here.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:update`, which an API key has by its scopes.
     */
    deleteConversationFile: Call<
      {
        params: {
          conversationId: string;
          fileId: string;
        };
      },
      void
    >;
    /**
     * Download a file that code of a conversation wrote, or a range of its bytes.
     *
     * Results of `run_python` and `run_javascript` name the files by `fileId`.
     * `inline` lets a browser show pictures (PNG, JPEG, GIF, WebP) and PDF; files of
     * other types are downloads all the same. Only the newest 200 files of a
     * conversation are kept.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    conversationFile: Call<
      {
        params: {
          fileId: string;
        };
        query?: {
          inline?: boolean;
        };
      },
      Response
    >;
    /**
     * Make images.
     *
     * With `conversationId` they become files of that conversation, which takes its
     * role `editor`.
     *
     * For users with an access token or an API key. Needs the permission
     * `image:create`, which an API key has by its scopes.
     */
    generateImages: Call<{ body: CoreGenerateImagesRequest }, CoreGenerateImagesResult>;
    /**
     * Speak a text.
     *
     * The sound is sent while it is made.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:create`, which an API key has by its scopes.
     */
    makeSpeech: Call<{ body: CoreMakeSpeechRequest }, Response>;
    /**
     * Write down a recording.
     *
     * multipart/form-data with `file`, at most 25 MB; fields may be behind it.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:create`, which an API key has by its scopes.
     */
    makeTranscription: Call<
      { form: CoreMakeTranscriptionRequest },
      CoreMakeTranscriptionResult
    >;
    /**
     * Save the rows of one SELECT over tables of documents as CSV.
     *
     * Tables are named after their files: `SELECT * FROM "Sales 2025"`. Documents that
     * the caller may not see are left out.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:search`, which an API key has by its scopes.
     */
    exportTable: Call<{ body: CoreExportTableRequest }, Response>;
    /**
     * Say whether a page of the web still has the words that an answer cites.
     *
     * The page is read as replies read it, at most once an hour. A page that cannot be
     * read is a 200 with `state: unreadable` and the reason.
     *
     * For users with an access token or an API key. Needs the permission `web:use`,
     * which an API key has by its scopes.
     */
    compareWebPage: Call<{ body: CoreCompareWebPageRequest }, CoreCompareWebPageResult>;
    /**
     * List what views of results add to what the model reads next.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    listViewContexts: Call<
      {
        params: {
          conversationId: string;
        };
      },
      CoreListViewContextsResult
    >;
    /**
     * Say what a view adds to what the model reads next, in the place of what it said.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:update`, which an API key has by its scopes.
     */
    setViewContext: Call<
      {
        params: {
          conversationId: string;
          toolCallId: string;
        };
        body: CoreSetViewContextRequest;
      },
      CoreListViewContextsResultItemsItem
    >;
    /**
     * Take back what a view added.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:update`, which an API key has by its scopes.
     */
    deleteViewContext: Call<
      {
        params: {
          conversationId: string;
          toolCallId: string;
        };
      },
      void
    >;
    /**
     * List the caller's conversations, last active first.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    chatHistory: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /**
           * `next` of the last page, instead of `page`: repeats nothing when the list
           * changes
           */
          cursor?: string;
          /** Only those that are pinned, or are not */
          pinned?: boolean;
          /** Only those with this agent */
          agentId?: string;
          /** Only those with a reply being made, or without */
          running?: boolean;
          /** With the first words of their newest message */
          words?: boolean;
        };
      },
      CoreChatHistoryResult,
      {
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
      }
    >;
    /**
     * Search the caller's conversations by words of titles and messages, and by tags.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    search: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          query?: string;
          /** Comma-separated; conversations that have all of them */
          tags?: string;
          /** Default: relevance with a query, else updatedAt */
          sort?: "relevance" | "updatedAt" | "createdAt" | "title";
          order?: "asc" | "desc";
        };
      },
      CoreSearchResult,
      {
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
      }
    >;
    /**
     * List the caller's tags of conversations.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    tags: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreTagsResult,
      {
        name: string;
        conversations: number;
      }
    >;
    /**
     * List the caller's deleted conversations, which can still be restored.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    trash: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreTrashResult,
      Conversation
    >;
    /**
     * Delete a conversation in the trash for good; its usage stays on record.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:delete`, which an API key has by its scopes.
     */
    purge: Call<
      {
        params: {
          conversationId: string;
        };
      },
      void
    >;
    /**
     * Read the caller's reaction to a message.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    getReaction: Call<
      {
        params: {
          messageId: string;
        };
      },
      Reaction
    >;
    /**
     * Like or dislike a message, with reasons and a comment; null removes the
     * reaction.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:update`, which an API key has by its scopes.
     */
    setReaction: Call<
      {
        params: {
          messageId: string;
        };
        body: NewReaction;
      },
      Reaction
    >;
    /**
     * Full conversations by several ids; absent ones and those of others are left out.
     *
     * For other services. Needs the permission `conversation:read`, which an API key
     * has by its scopes.
     */
    multiple: Call<
      {
        query: {
          /** Comma-separated */
          ids: string;
        };
      },
      WholeConversation[]
    >;
    /**
     * The titles of several conversations; those that the caller may not see are left
     * out.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    titles: Call<
      {
        query: {
          /** Comma-separated */
          ids: string;
        };
      },
      {
        id: string;
        title: string;
        updatedAt: string;
      }[]
    >;
    /**
     * Read a conversation with all messages.
     *
     * `messages` is empty with `?messages=none`: read long threads page by page.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    get: Call<
      {
        params: {
          conversationId: string;
        };
        query?: {
          messages?: "all" | "none";
        };
      },
      WholeConversation
    >;
    /**
     * Change title, pin or tags.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:update`, which an API key has by its scopes.
     */
    change: Call<
      {
        params: {
          conversationId: string;
        };
        body: CoreChangeRequest;
      },
      Conversation
    >;
    /**
     * Move a conversation to the trash; its usage stays on record.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:delete`, which an API key has by its scopes.
     */
    remove: Call<
      {
        params: {
          conversationId: string;
        };
      },
      void
    >;
    /**
     * Read a branch of a conversation page by page, upwards from its newest message.
     *
     * To switch the branch, give a sibling of a message as `leaf`. The branch goes on
     * from there with the newest message each time. A page of long messages has fewer
     * than `limit`.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    messages: Call<
      {
        params: {
          conversationId: string;
        };
        query?: {
          /** Any message of the branch. Absent: the newest message */
          leaf?: string;
          /** `before` of the last page, with the same `leaf` */
          before?: string;
          limit?: number;
        };
      },
      ThreadPage
    >;
    /**
     * Restore a conversation from the trash.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:update`, which an API key has by its scopes.
     */
    restore: Call<
      {
        params: {
          conversationId: string;
        };
      },
      Conversation
    >;
    /**
     * Export a conversation as a file.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:export`, which an API key has by its scopes.
     */
    export: Call<
      {
        params: {
          conversationId: string;
        };
        query?: {
          format?: "md" | "json";
        };
      },
      Response
    >;
    /**
     * List what people of the organisation think of answers, the newest first.
     *
     * The answers themselves are only for those who may read the conversation.
     *
     * For administrators. Needs the permission `audit:administer`, which an API key
     * has by its scopes.
     */
    listFeedback: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          reaction?: "like" | "dislike";
          /** Only with this reason, perhaps among others */
          reason?:
            | "wrong"
            | "incomplete"
            | "not_my_documents"
            | "not_followed"
            | "too_long"
            | "unsafe";
          /** As `provider/model` */
          model?: string;
          agentId?: string;
          from?: string;
          /** Exclusive */
          to?: string;
        };
      },
      CoreListFeedbackResult,
      {
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
      }
    >;
    /**
     * Export what people of the organisation think of answers as CSV.
     *
     * For administrators. Needs the permission `audit:administer`, which an API key
     * has by its scopes.
     */
    exportFeedback: Call<
      {
        query?: {
          reaction?: "like" | "dislike";
          /** Only with this reason, perhaps among others */
          reason?:
            | "wrong"
            | "incomplete"
            | "not_my_documents"
            | "not_followed"
            | "too_long"
            | "unsafe";
          /** As `provider/model` */
          model?: string;
          agentId?: string;
          from?: string;
          /** Exclusive */
          to?: string;
        };
      },
      Response
    >;
    /**
     * Send a message.
     *
     * Streams by default. `Idempotency-Key` makes a repeated request give the same
     * answer for 24 hours. `409 reply_in_progress` while a reply of the branch is in
     * progress; other branches can be answered at once.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    send: JsonOrStreamCall<
      { body: SendMessage },
      CoreSendResult,
      | ServerEvent<"conversation", CoreSendEventConversationData>
      | ServerEvent<"text_delta", CoreSendEventTextDeltaData>
      | ServerEvent<"reasoning_delta", CoreSendEventTextDeltaData>
      | ServerEvent<"tool_call", CoreSendEventToolCallData>
      | ServerEvent<"tool_result", CoreSendEventToolResultData>
      | ServerEvent<"approval", CoreSendEventApprovalData>
      | ServerEvent<"warning", CoreSendEventWarningData>
      | ServerEvent<"answered_by", CoreSendEventAnsweredByData>
      | ServerEvent<"sources", CoreSendEventSourcesData>
      | ServerEvent<"canvas", CoreSendEventCanvasData>
      | ServerEvent<"research", CoreSendEventResearchData>
      | ServerEvent<"labels", CoreSendEventLabelsData>
      | ServerEvent<"error", CoreSendEventErrorData>
      | ServerEvent<"tool_output", CoreSendEventToolOutputData>
      | ServerEvent<"title", CoreSendEventTitleData>
      | ServerEvent<"done", CoreSendEventDoneData>
    >;
    /**
     * Answer a message again with a new reply beside the others.
     *
     * Answers as POST /api/v1/conversation does, with the tools and instructions of
     * the message. `409 reply_in_progress` while the named reply is in progress.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    regenerate: JsonOrStreamCall<
      {
        params: {
          conversationId: string;
        };
        body: CoreRegenerateRequest;
      },
      CoreSendResult,
      | ServerEvent<"conversation", CoreSendEventConversationData>
      | ServerEvent<"text_delta", CoreSendEventTextDeltaData>
      | ServerEvent<"reasoning_delta", CoreSendEventTextDeltaData>
      | ServerEvent<"tool_call", CoreSendEventToolCallData>
      | ServerEvent<"tool_result", CoreSendEventToolResultData>
      | ServerEvent<"approval", CoreSendEventApprovalData>
      | ServerEvent<"warning", CoreSendEventWarningData>
      | ServerEvent<"answered_by", CoreSendEventAnsweredByData>
      | ServerEvent<"sources", CoreSendEventSourcesData>
      | ServerEvent<"canvas", CoreSendEventCanvasData>
      | ServerEvent<"research", CoreSendEventResearchData>
      | ServerEvent<"labels", CoreSendEventLabelsData>
      | ServerEvent<"error", CoreSendEventErrorData>
      | ServerEvent<"tool_output", CoreSendEventToolOutputData>
      | ServerEvent<"title", CoreSendEventTitleData>
      | ServerEvent<"done", CoreSendEventDoneData>
    >;
    /**
     * Continue reading a reply after the event in Last-Event-ID.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    attach: StreamCall<
      {
        params: {
          conversationId: string;
        };
        query?: {
          /** The reply. Absent: the newest in progress, else the newest */
          messageId?: string;
        };
      },
      | ServerEvent<"conversation", CoreSendEventConversationData>
      | ServerEvent<"text_delta", CoreSendEventTextDeltaData>
      | ServerEvent<"reasoning_delta", CoreSendEventTextDeltaData>
      | ServerEvent<"tool_call", CoreSendEventToolCallData>
      | ServerEvent<"tool_result", CoreSendEventToolResultData>
      | ServerEvent<"approval", CoreSendEventApprovalData>
      | ServerEvent<"warning", CoreSendEventWarningData>
      | ServerEvent<"answered_by", CoreSendEventAnsweredByData>
      | ServerEvent<"sources", CoreSendEventSourcesData>
      | ServerEvent<"canvas", CoreSendEventCanvasData>
      | ServerEvent<"research", CoreSendEventResearchData>
      | ServerEvent<"labels", CoreSendEventLabelsData>
      | ServerEvent<"error", CoreSendEventErrorData>
      | ServerEvent<"tool_output", CoreSendEventToolOutputData>
      | ServerEvent<"title", CoreSendEventTitleData>
      | ServerEvent<"done", CoreSendEventDoneData>
    >;
    /**
     * Stop a reply in progress; the text so far stays.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:update`, which an API key has by its scopes.
     */
    stop: Call<
      {
        params: {
          conversationId: string;
        };
        body: CoreStopRequest;
      },
      CoreStopResult
    >;
    /**
     * Decide on a waiting tool call; when all are decided the reply continues, to be
     * read at /stream.
     *
     * For users with an access token or an API key. Needs the permission
     * `tool:approve`, which an API key has by its scopes.
     */
    approve: Call<
      {
        params: {
          conversationId: string;
        };
        body: CoreApproveRequest;
      },
      CoreApproveResult
    >;
    /**
     * List the replies of the caller's conversations that wait for a decision, newest
     * first.
     *
     * A reply after which its conversation went on is not listed, though its calls can
     * still be decided.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    listWaiting: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListWaitingResult,
      {
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
      }
    >;
    /**
     * List the tools whose calls the caller always allows.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:read`, which an API key has by its scopes.
     */
    listAllowedTools: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListAllowedToolsResult,
      {
        server: string;
        name: string;
        allowedAt: string;
      }
    >;
    /**
     * Ask the caller again before a tool runs.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversation:update`, which an API key has by its scopes.
     */
    revokeTool: Call<
      {
        params: {
          server: string;
          name: string;
        };
      },
      void
    >;
    /**
     * List the abilities of the platform: toolsets, with their tools.
     *
     * For users with an access token or an API key. Needs the permission `tool:read`,
     * which an API key has by its scopes.
     */
    listToolsets: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListToolsetsResult,
      {
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
      }
    >;
    /**
     * Create an agent.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:create`, which an API key has by its scopes.
     */
    createAgent: Call<{ body: NewAgent }, Agent>;
    /**
     * List agents that the caller may use, last changed first.
     *
     * A page of agents of more than 4,000,000 characters has no `instructions`,
     * `tools`, `retrieval` and `files`: read each agent for them.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    listAgents: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Part of the name */
          query?: string;
          type?: AgentType;
          /**
           * `shared`: by others with the caller; `organization`: of the organisation and
           * built in
           */
          scope?: AgentScope;
          /** In this folder of the caller; `none`: in no folder */
          folderId?: string | "none";
        };
      },
      CoreListAgentsResult,
      CoreListAgentsResultItemsItem
    >;
    /**
     * Read several agents; unknown and invisible ones are left out.
     *
     * A page of agents of more than 4,000,000 characters has no `instructions`,
     * `tools`, `retrieval` and `files`: read each agent for them.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    multipleAgents: Call<
      {
        query: {
          /** Comma-separated */
          ids: string;
        };
      },
      CoreListAgentsResultItemsItem[]
    >;
    /**
     * Read the caller's folders and agents as a tree.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    agentTree: Call<
      {
        query?: {
          /** `none`: the folders alone */
          agents?: "all" | "none";
        };
      },
      CoreAgentTreeResult
    >;
    /**
     * List agents of the organisation and built-in agents.
     *
     * A page of agents of more than 4,000,000 characters has no `instructions`,
     * `tools`, `retrieval` and `files`: read each agent for them.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    organizationAgents: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListAgentsResult,
      CoreListAgentsResultItemsItem
    >;
    /**
     * List the caller's deleted agents, which can still be restored.
     *
     * A page of agents of more than 4,000,000 characters has no `instructions`,
     * `tools`, `retrieval` and `files`: read each agent for them.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    agentTrash: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreAgentTrashResult,
      {
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
      }
    >;
    /**
     * Delete several, each with its own result.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:delete`, which an API key has by its scopes.
     */
    deleteAgents: Call<{ body: CoreDeleteAgentsRequest }, CoreDeleteAgentsResult>;
    /**
     * Replace several, each with its own result.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:update`, which an API key has by its scopes.
     */
    putAgents: Call<{ body: CorePutAgentsRequest }, CoreDeleteAgentsResult>;
    /**
     * Change several, each with its own result.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:update`, which an API key has by its scopes.
     */
    patchAgents: Call<{ body: CorePutAgentsRequest }, CoreDeleteAgentsResult>;
    /**
     * List the caller's folders.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    listFolders: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListFoldersResult,
      Folder
    >;
    /**
     * Create a folder.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:create`, which an API key has by its scopes.
     */
    createFolder: Call<{ body: CoreCreateFolderRequest }, Folder>;
    /**
     * Rename a folder or move it.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:update`, which an API key has by its scopes.
     */
    changeFolder: Call<
      {
        params: {
          id: string;
        };
        body: CoreChangeFolderRequest;
      },
      Folder
    >;
    /**
     * Delete a folder; its contents move up.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:delete`, which an API key has by its scopes.
     */
    deleteFolder: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * Read an agent.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    getAgent: Call<
      {
        params: {
          id: string;
        };
      },
      VisibleAgent
    >;
    /**
     * Replace an agent; absent fields return to their defaults.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:update`, which an API key has by its scopes.
     */
    putAgent: Call<
      {
        params: {
          id: string;
        };
        body: WholeAgent;
      },
      Agent
    >;
    /**
     * Change an agent.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:update`, which an API key has by its scopes.
     */
    patchAgent: Call<
      {
        params: {
          id: string;
        };
        body: AgentChange;
      },
      Agent
    >;
    /**
     * Move an agent to the trash.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:delete`, which an API key has by its scopes.
     */
    deleteAgent: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List the files of an agent.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    agentFiles: PagedCall<
      {
        params: {
          id: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreAgentFilesResult,
      {
        id: string;
        /** null if it was deleted or is not shared with you */
        fileName: string | null;
        /** null if it was deleted or is not shared with you */
        mimeType: string | null;
        /** null if it was deleted or is not shared with you */
        size: number | null;
      }
    >;
    /**
     * Restore an agent from the trash.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:update`, which an API key has by its scopes.
     */
    restoreAgent: Call<
      {
        params: {
          id: string;
        };
      },
      Agent
    >;
    /**
     * List the versions of an agent, newest first.
     *
     * A page of agents of more than 4,000,000 characters has no `instructions`,
     * `tools`, `retrieval` and `files`: read each agent for them.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    listVersions: PagedCall<
      {
        params: {
          id: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListVersionsResult,
      {
        version: number;
        changedBy: string;
        createdAt: string;
        definition: ListedDefinition;
        /** Left out with the instructions */
        files?: string[];
      }
    >;
    /**
     * List the fields in which two versions differ.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    diffVersions: Call<
      {
        params: {
          id: string;
        };
        query: {
          from: number;
          to: number;
        };
      },
      CoreDiffVersionsResult
    >;
    /**
     * Read a version.
     *
     * For users with an access token or an API key. Needs the permission `agent:read`,
     * which an API key has by its scopes.
     */
    getVersion: Call<
      {
        params: {
          id: string;
          version: number;
        };
      },
      CoreGetVersionResult
    >;
    /**
     * Make an earlier version the newest.
     *
     * For users with an access token or an API key. Needs the permission
     * `agent:update`, which an API key has by its scopes.
     */
    restoreVersion: Call<
      {
        params: {
          id: string;
          version: number;
        };
      },
      Agent
    >;
    /**
     * Create a canvas.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:create`, which an API key has by its scopes.
     */
    createCanvas: Call<{ body: NewCanvas }, Canvas>;
    /**
     * Own canvases, all of a conversation that one may see, or those of conversations
     * that others share; the last changed first.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:read`, which an API key has by its scopes.
     */
    listCanvases: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          conversationId?: string;
          /** `shared`: of conversations that others share with the caller */
          scope?: "own" | "shared";
        };
      },
      CoreListCanvasesResult,
      {
        id: string;
        conversationId: string | null;
        title: string;
        type: "markdown" | "code" | "html";
        language: string | null;
        version: number;
        createdAt: string;
        updatedAt: string;
        ownerName: string | null;
      }
    >;
    /**
     * List the caller's deleted canvases, which can still be restored.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:read`, which an API key has by its scopes.
     */
    canvasTrash: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreCanvasTrashResult,
      {
        id: string;
        conversationId: string | null;
        title: string;
        type: "markdown" | "code" | "html";
        language: string | null;
        version: number;
        createdAt: string;
        updatedAt: string;
        deletedAt: string;
      }
    >;
    /**
     * Read a canvas with its current version, or with an earlier one.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:read`, which an API key has by its scopes.
     */
    getCanvas: Call<
      {
        params: {
          canvasId: string;
        };
        query?: {
          version?: number;
        };
      },
      CoreGetCanvasResult
    >;
    /**
     * Change the title.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:update`, which an API key has by its scopes.
     */
    changeCanvas: Call<
      {
        params: {
          canvasId: string;
        };
        body: CoreChangeCanvasRequest;
      },
      Canvas
    >;
    /**
     * Move a canvas to the trash.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:delete`, which an API key has by its scopes.
     */
    deleteCanvas: Call<
      {
        params: {
          canvasId: string;
        };
      },
      void
    >;
    /**
     * Read the newest version, the caller's role and the lock of an open canvas.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:read`, which an API key has by its scopes.
     */
    canvasState: Call<
      {
        params: {
          canvasId: string;
        };
      },
      CoreCanvasStateResult
    >;
    /**
     * Restore a canvas from the trash.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:update`, which an API key has by its scopes.
     */
    restoreCanvas: Call<
      {
        params: {
          canvasId: string;
        };
      },
      Canvas
    >;
    /**
     * List the versions of a canvas, newest first.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:read`, which an API key has by its scopes.
     */
    listCanvasVersions: PagedCall<
      {
        params: {
          canvasId: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListCanvasVersionsResult,
      {
        version: number;
        createdBy: string;
        /** null: the user was deleted */
        createdByName: string | null;
        /** The reply in which a model wrote it; null: a user wrote it */
        messageId: string | null;
        characters: number;
        createdAt: string;
      }
    >;
    /**
     * Create a version from the newest one; 409 when `baseVersion` is not the newest.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:update`, which an API key has by its scopes.
     */
    createCanvasVersion: Call<
      {
        params: {
          canvasId: string;
        };
        body: CoreCreateCanvasVersionRequest;
      },
      Canvas
    >;
    /**
     * Compare two versions, line by line.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:read`, which an API key has by its scopes.
     */
    diffCanvas: Call<
      {
        params: {
          canvasId: string;
        };
        query: {
          from: number;
          to: number;
        };
      },
      CoreDiffCanvasResult
    >;
    /**
     * Export a canvas as a file.
     *
     * For users with an access token or an API key. Needs the permission
     * `canvas:export`, which an API key has by its scopes.
     */
    exportCanvas: Call<
      {
        params: {
          canvasId: string;
        };
        query: {
          fileType: FileType;
          version?: number;
        };
      },
      Response
    >;
    /**
     * List templates of the organisation, own ones, and those shared with the caller.
     *
     * For users with an access token or an API key. Needs the permission
     * `template:read`, which an API key has by its scopes.
     */
    listTemplates: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          language?: string;
          /** Leaves out the built-in templates of other languages, such as `de` */
          builtInLanguage?: string;
          /** Part of the name */
          query?: string;
          scope?: "organization" | "personal";
        };
      },
      CoreListTemplatesResult,
      Template
    >;
    /**
     * Create a personal template, or as an administrator one of the organisation.
     *
     * For users with an access token or an API key. Needs the permission
     * `template:create`, which an API key has by its scopes.
     */
    createTemplate: Call<{ body: NewTemplate }, Template>;
    /**
     * List the enabled templates.
     *
     * For users with an access token or an API key. Needs the permission
     * `template:read`, which an API key has by its scopes.
     */
    enabledTemplates: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          language?: string;
          /** Leaves out the built-in templates of other languages, such as `de` */
          builtInLanguage?: string;
          /** Part of the name */
          query?: string;
          scope?: "organization" | "personal";
        };
      },
      CoreListTemplatesResult,
      Template
    >;
    /**
     * Read several templates; unknown ids are left out.
     *
     * For users with an access token or an API key. Needs the permission
     * `template:read`, which an API key has by its scopes.
     */
    templatesByIds: Call<{ body: CoreTemplatesByIdsRequest }, Template[]>;
    /**
     * Read a template.
     *
     * For users with an access token or an API key. Needs the permission
     * `template:read`, which an API key has by its scopes.
     */
    getTemplate: Call<
      {
        params: {
          id: string;
        };
      },
      Template
    >;
    /**
     * Change a template; built-in ones can only be enabled and disabled.
     *
     * For users with an access token or an API key. Needs the permission
     * `template:update`, which an API key has by its scopes.
     */
    changeTemplate: Call<
      {
        params: {
          id: string;
        };
        body: TemplateChange;
      },
      Template
    >;
    /**
     * Delete a template that is not built in.
     *
     * For users with an access token or an API key. Needs the permission
     * `template:delete`, which an API key has by its scopes.
     */
    deleteTemplate: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * Fill the gaps of a template and return its text.
     *
     * For users with an access token or an API key. Needs the permission
     * `template:read`, which an API key has by its scopes.
     */
    fillTemplate: Call<
      {
        params: {
          id: string;
        };
        body: CoreFillTemplateRequest;
      },
      CoreFillTemplateResult
    >;
    /**
     * Correct, translate or sum up a text, however long.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversion:create`, which an API key has by its scopes.
     */
    convert: JsonOrStreamCall<
      { body: NewConversion },
      CoreConvertResult,
      | ServerEvent<
          "conversion",
          {
            id: string;
          }
        >
      | ServerEvent<
          "progress",
          {
            done: number;
            of: number;
          }
        >
      | ServerEvent<"text_delta", CoreSendEventTextDeltaData>
      | ServerEvent<
          "done",
          {
            conversion: CoreConvertResult;
          }
        >
      | ServerEvent<"error", CoreSendEventErrorData>
    >;
    /**
     * List the caller's conversions, newest first.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversion:read`, which an API key has by its scopes.
     */
    listConversions: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          type?: "grammar" | "translation" | "summarisation";
          /** In the first 10,000 characters of the text or of the result */
          query?: string;
          /** `short`: the first 200 characters of the text and of the result */
          texts?: "whole" | "short";
        };
      },
      CoreListConversionsResult,
      Conversion
    >;
    /**
     * Delete several, each with its own outcome.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversion:delete`, which an API key has by its scopes.
     */
    deleteConversions: Call<{ body: CoreTemplatesByIdsRequest }, CoreDeleteAgentsResult>;
    /**
     * Read a conversion.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversion:read`, which an API key has by its scopes.
     */
    getConversion: Call<
      {
        params: {
          id: string;
        };
      },
      CoreConvertResult
    >;
    /**
     * Replace the output of a conversion.
     *
     * For users with an access token or an API key. Needs the permission
     * `conversion:update`, which an API key has by its scopes.
     */
    changeConversion: Call<
      {
        params: {
          id: string;
        };
        body: CoreChangeConversionRequest;
      },
      CoreConvertResult
    >;
    /**
     * Chat completions as OpenAI's clients ask for them.
     *
     * With `stream` as server-sent events of `chat.completion.chunk`, ended by
     * `[DONE]`.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    chatCompletions: JsonOrStreamCall<
      { body: ChatRequest },
      CoreChatCompletionsResult,
      ServerEvent<string, unknown>
    >;
    /**
     * List the models and agents that may be named as `model`.
     *
     * OpenAI's list is whole; the query is for Anthropic's form.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `model:read`, which an API key has by its scopes.
     */
    openAiModels: Call<
      {
        query?: {
          limit?: number;
          after_id?: string;
          before_id?: string;
        };
      },
      CoreOpenAiModelsResult
    >;
    /**
     * Read a model or agent; a slash in its name is written %2F.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `model:read`, which an API key has by its scopes.
     */
    openAiModel: Call<
      {
        params: {
          model: string;
        };
      },
      CoreOpenAiModelResult
    >;
    /**
     * Continue texts as OpenAI's older clients ask for it.
     *
     * With `stream` as server-sent events, ended by `[DONE]`. A model whose provider
     * has no such API is asked by chat, with the prompt as the only message.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    textCompletions: JsonOrStreamCall<
      { body: TextRequest },
      CoreTextCompletionsResult,
      ServerEvent<string, unknown>
    >;
    /**
     * Make images as OpenAI's clients ask for it.
     *
     * With `stream` as server-sent events, whose last one for an image is
     * `image_generation.completed`.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    openAiImages: JsonOrStreamCall<
      { body: CoreOpenAiImagesRequest },
      CoreOpenAiImagesResult,
      ServerEvent<string, unknown>
    >;
    /**
     * Change images, or make one of several, as OpenAI's clients ask for it.
     *
     * Up to 16 images in `image` or `image[]`, and a `mask`; 25 MB together. Fields
     * may be behind the files. As JSON, `images` and `mask` name them by `file_id`, or
     * as a data: URL in `image_url`. With `stream` as server-sent events.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    openAiImageEdits: JsonOrStreamCall<
      { form: CoreOpenAiImageEditsRequest },
      CoreOpenAiImagesResult,
      ServerEvent<string, unknown>
    >;
    /**
     * Speak a text as OpenAI's clients ask for it.
     *
     * The sound is sent while it is made, in `response_format`, by default mp3; with
     * `stream_format` `sse` as events, whose last one is `speech.audio.done`.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    openAiSpeech: StreamCall<
      { body: CoreOpenAiSpeechRequest },
      ServerEvent<string, unknown>
    >;
    /**
     * Write down a recording as OpenAI's clients ask for it.
     *
     * At most 25 MB. Its fields may be behind the file. With `stream` as server-sent
     * events, whose last one is `transcript.text.done`.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    openAiTranscription: JsonOrStreamCall<
      { form: CoreOpenAiTranscriptionRequest },
      unknown,
      ServerEvent<string, unknown>
    >;
    /**
     * Write down a recording in English as OpenAI's clients ask for it.
     *
     * At most 25 MB. Its fields may be behind the file.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    openAiTranslation: JsonOrStreamCall<
      { form: CoreOpenAiTranscriptionRequest },
      unknown,
      ServerEvent<string, unknown>
    >;
    /**
     * Judge whether texts or images are harmful, as OpenAI's clients ask for it.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    openAiModeration: Call<
      { body: CoreOpenAiModerationRequest },
      CoreOpenAiModerationResult
    >;
    /**
     * A response as OpenAI's newer clients ask for it.
     *
     * With `stream` as OpenAI's server-sent events. With `background` it goes on when
     * its client leaves.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    createResponse: JsonOrStreamCall<
      { body: ResponseRequest },
      ResponseView,
      ServerEvent<string, unknown>
    >;
    /**
     * Read a stored response of your own.
     *
     * With `stream=true`, of one in the background: its events, from the one behind
     * `starting_after` on, for five minutes after its end.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    readResponse: JsonOrStreamCall<
      {
        params: {
          response: string;
        };
        query?: {
          stream?: "true" | "false";
          /** The `sequence_number` of the last event that you have */
          starting_after?: number;
        };
      },
      ResponseView,
      ServerEvent<string, unknown>
    >;
    /**
     * Delete a stored response of your own.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    deleteResponse: Call<
      {
        params: {
          response: string;
        };
      },
      CoreDeleteResponseResult
    >;
    /**
     * Cancel a response in the background.
     *
     * What it has written is not kept. One that has ended is answered as it is.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    cancelResponse: Call<
      {
        params: {
          response: string;
        };
      },
      ResponseView
    >;
    /**
     * List the items of the request for a stored response.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    listInputItems: PagedCall<
      {
        params: {
          response: string;
        };
        query?: {
          limit?: number;
          order?: "asc" | "desc";
          /** The id of the last item before */
          after?: string;
        };
      },
      CoreListInputItemsResult,
      unknown
    >;
    /**
     * Begin a conversation, for responses that name it.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    createOpenAiConversation: Call<
      { body: CoreCreateOpenAiConversationRequest },
      CoreCreateOpenAiConversationResult
    >;
    /**
     * Read a conversation that you may see.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:read`, which an API key has by its scopes.
     */
    readOpenAiConversation: Call<
      {
        params: {
          conversation: string;
        };
      },
      CoreCreateOpenAiConversationResult
    >;
    /**
     * Move a conversation of your own to the trash.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:delete`, which an API key has by its scopes.
     */
    deleteOpenAiConversation: Call<
      {
        params: {
          conversation: string;
        };
      },
      CoreDeleteOpenAiConversationResult
    >;
    /**
     * List the messages of a conversation, along its newest branch.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:read`, which an API key has by its scopes.
     */
    listOpenAiConversationItems: PagedCall<
      {
        params: {
          conversation: string;
        };
        query?: {
          limit?: number;
          order?: "asc" | "desc";
          /** The id of the last item before */
          after?: string;
        };
      },
      CoreListOpenAiConversationItemsResult,
      {
        id: string;
        type: "message";
        role: "user" | "assistant";
        status: "in_progress" | "completed" | "incomplete";
        content: {
          type: "input_text" | "output_text";
          text: string;
          annotations?: unknown[];
        }[];
      }
    >;
    /**
     * A message as Anthropic's clients ask for it.
     *
     * With `stream` as Anthropic's server-sent events.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    anthropicMessage: JsonOrStreamCall<
      { body: MessagesRequest },
      CoreAnthropicMessageResult,
      ServerEvent<string, unknown>
    >;
    /**
     * Estimate the tokens of a request for a message.
     *
     * An estimate of four characters a token: providers count differently.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    anthropicTokens: Call<{ body: CoreAnthropicTokensRequest }, CoreAnthropicTokensResult>;
    /**
     * Read the card of an agent, for clients of A2A.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `agent:read`, which an API key has by its scopes.
     */
    agentCard: Call<
      {
        params: {
          agentId: string;
        };
      },
      CoreAgentCardResult
    >;
    /**
     * Use an agent over A2A (JSON-RPC).
     *
     * `SendMessage`, `SendStreamingMessage`, `GetTask`, `ListTasks`, `CancelTask`,
     * `SubscribeToTask`, and `Create`, `Get`, `List` and
     * `DeleteTaskPushNotificationConfig`. A task is a reply, and its context the
     * conversation, which its owner finds in the web app, too. With `A2A-Version:
     * 0.3`, or without one, the methods of 0.3.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `conversation:create`, which an API key has by its scopes.
     */
    agentRpc: JsonOrStreamCall<
      {
        params: {
          agentId: string;
        };
      },
      CoreAgentRpcResult,
      ServerEvent<string, unknown>
    >;
    /**
     * Models and providers, for the completion service; secrets only for callers with
     * the service secret, no config for users who do not administer.
     *
     * For other services. Needs the permission `model:read`, which an API key has by
     * its scopes.
     */
    modelsProviders: Call<{}, ModelsProviders>;
    /**
     * Tool servers, for the tool gateway; values of headers only for callers with the
     * service secret, no servers for users who do not administer.
     *
     * For other services. Needs the permission `tool:read`, which an API key has by
     * its scopes.
     */
    mcpServers: Call<{}, CoreMcpServersResultItem[]>;
    /**
     * Tool servers, for the tool gateway; values of headers only for callers with the
     * service secret, no servers for users who do not administer.
     *
     * For other services. Needs the permission `tool:read`, which an API key has by
     * its scopes.
     */
    mcpServersBare: Call<{}, CoreMcpServersResultItem[]>;
    /**
     * List the registered tool servers.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    listToolServers: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListToolServersResult,
      CoreListToolServersResultItemsItem
    >;
    /**
     * Register a tool server.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    createToolServer: Call<{ body: GivenToolServer }, CoreListToolServersResultItemsItem>;
    /**
     * Change a tool server.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    changeToolServer: Call<
      {
        params: {
          name: string;
        };
        body: GivenToolServer;
      },
      CoreListToolServersResultItemsItem
    >;
    /**
     * Remove a tool server.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    deleteToolServer: Call<
      {
        params: {
          name: string;
        };
      },
      void
    >;
    /**
     * Create a model.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    createModel: Call<{ body: NewModel }, ModelEntry>;
    /**
     * Enabled models.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listModels: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListModelsResult,
      ModelEntry
    >;
    /**
     * All models, also disabled ones.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listAllModels: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListModelsResult,
      ModelEntry
    >;
    /**
     * Enabled completion models.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listCompletionModels: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListModelsResult,
      ModelEntry
    >;
    /**
     * Enabled embedding models.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listEmbeddingModels: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListModelsResult,
      ModelEntry
    >;
    /**
     * Read a model.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    getModel: Call<
      {
        params: {
          id: string;
        };
      },
      ModelEntry
    >;
    /**
     * Change a model.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    changeModel: Call<
      {
        params: {
          id: string;
        };
        body: ModelChange;
      },
      ModelEntry
    >;
    /**
     * Delete a model and its available models.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    deleteModel: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * Create a provider.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    createProvider: Call<{ body: NewProvider }, Provider>;
    /**
     * Enabled providers.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listProviders: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListProvidersResult,
      Provider
    >;
    /**
     * All providers.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listAllProviders: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListProvidersResult,
      Provider
    >;
    /**
     * Read how the calls to each provider ended in the last 24 hours.
     *
     * In the order of the list of all providers. Counts are seconds old.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    listProviderHealth: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListProviderHealthResult,
      ProviderHealth
    >;
    /**
     * List the kinds of providers, each with the JSON Schema of its config.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listProviderKinds: Call<
      {},
      {
        kind: ProviderKind;
        displayName: string;
        configSchema: { [name: string]: unknown };
      }[]
    >;
    /**
     * Read a provider.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    getProvider: Call<
      {
        params: {
          name: string;
        };
      },
      Provider
    >;
    /**
     * Change a provider.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    changeProvider: Call<
      {
        params: {
          name: string;
        };
        body: ProviderChange;
      },
      Provider
    >;
    /**
     * Delete a provider and its available models.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    deleteProvider: Call<
      {
        params: {
          name: string;
        };
      },
      void
    >;
    /**
     * Read the JSON Schema of the config of a provider, or of the kind with this name.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    providerConfigSchema: Call<
      {
        params: {
          name: string;
        };
      },
      UsersGetPreferencesResult
    >;
    /**
     * Test the config of a provider before it is saved: ask it which models it offers.
     *
     * Stores nothing. The config is checked as on saving (400). A provider that does
     * not answer as it should is a 200 with `ok: false` and the reason in `error`.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    testNewProvider: Call<{ body: ProviderProbe }, ProviderTest>;
    /**
     * Test address and key of a provider: ask it which models it offers.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    testProvider: Call<
      {
        params: {
          name: string;
        };
      },
      ProviderTest
    >;
    /**
     * Add a model of a provider to the available models.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    createAvailableModel: Call<{ body: NewAvailableModel }, AvailableModel>;
    /**
     * Enabled available models.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listAvailableModels: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListAvailableModelsResult,
      AvailableModel
    >;
    /**
     * List all available models.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listAllAvailableModels: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Part of the name or of the provider's name */
          query?: string;
        };
      },
      CoreListAvailableModelsResult,
      AvailableModel
    >;
    /**
     * Available models that can answer now.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    listSelections: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListSelectionsResult,
      Selection
    >;
    /**
     * Models to choose from, the default first.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    completionSelections: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListSelectionsResult,
      Selection
    >;
    /**
     * Embedding models to choose from.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    embeddingSelections: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListSelectionsResult,
      Selection
    >;
    /**
     * List the kinds of models of which you may use one.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    usableKinds: Call<{}, CoreUsableKindsResult>;
    /**
     * Check whether each available model can answer now.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    validateAvailableModels: Call<
      { body: CoreValidateAvailableModelsRequest },
      CoreValidateAvailableModelsResult
    >;
    /**
     * Read available models in the order of these ids; unknown ids are left out.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    availableModelsByIds: Call<
      { body: CoreValidateAvailableModelsRequest },
      AvailableModel[]
    >;
    /**
     * List the available models of a provider, by its name.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    availableModelsOfProvider: PagedCall<
      {
        params: {
          providerId: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListAvailableModelsResult,
      AvailableModel
    >;
    /**
     * List the available models of a model.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    availableModelsOfModel: PagedCall<
      {
        params: {
          modelId: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListAvailableModelsResult,
      AvailableModel
    >;
    /**
     * Read an available model.
     *
     * For users with an access token or an API key. Needs the permission `model:read`,
     * which an API key has by its scopes.
     */
    getAvailableModel: Call<
      {
        params: {
          id: string;
        };
      },
      AvailableModel
    >;
    /**
     * Change an available model.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    changeAvailableModel: Call<
      {
        params: {
          id: string;
        };
        body: AvailableModelChange;
      },
      AvailableModel
    >;
    /**
     * Delete an available model.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    deleteAvailableModel: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List the private addresses that are allowed for providers and tool servers.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    listAllowedAddresses: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListAllowedAddressesResult,
      CoreListAllowedAddressesResultItemsItem
    >;
    /**
     * Allow a private address for providers and tool servers.
     *
     * Only this host and port, and never an address of a cloud's metadata or of this
     * server itself. Nothing else may call it. Allowing it again changes nothing.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    allowAddress: Call<
      { body: CoreAllowAddressRequest },
      CoreListAllowedAddressesResultItemsItem
    >;
    /**
     * Allow a private address no longer.
     *
     * New calls are refused at once; those that run go on to their end.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    revokeAddress: Call<
      {
        params: {
          /** `host:port`, an IPv6 address in brackets */
          address: string;
        };
      },
      void
    >;
    /**
     * Find servers of models on this machine, at their usual ports.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    findLocalServers: Call<{}, CoreFindLocalServersResult>;
    /**
     * List the search engines in the order in which they are asked.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    listSearchEngines: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListSearchEnginesResult,
      CoreListSearchEnginesResultItemsItem
    >;
    /**
     * Add a search engine, asked after the others.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    createSearchEngine: Call<{ body: NewEngine }, CoreListSearchEnginesResultItemsItem>;
    /**
     * List the kinds of search engines, each with the JSON Schema of its
     * configuration.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    listSearchEngineKinds: Call<
      {},
      {
        kind: string;
        title: string;
        configSchema: { [name: string]: unknown };
      }[]
    >;
    /**
     * Search by an engine before it is saved.
     *
     * Stores nothing. The configuration is checked as on saving (400). An engine that
     * does not answer as it should is a 200 with `ok: false` and the reason in
     * `error`.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    testNewSearchEngine: Call<{ body: CoreTestNewSearchEngineRequest }, EngineTest>;
    /**
     * Order the search engines that are not of the environment.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    orderSearchEngines: Call<{ body: CoreOrderSearchEnginesRequest }, void>;
    /**
     * Change a search engine.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    changeSearchEngine: Call<
      {
        params: {
          id: string;
        };
        body: EngineChange;
      },
      CoreListSearchEnginesResultItemsItem
    >;
    /**
     * Remove a search engine.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    deleteSearchEngine: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * Search by a saved engine, or by one of the environment.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    testSearchEngine: Call<
      {
        params: {
          id: string;
        };
        body: CoreTestSearchEngineRequest;
      },
      EngineTest
    >;
    /**
     * Sum tokens and costs: the caller's own, or everybody's for administrators.
     *
     * For users with an access token or an API key. Needs the permission `usage:read`,
     * which an API key has by its scopes.
     */
    usage: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** A date is its first moment in `timeZone` */
          from?: string;
          /** Exclusive; a date is its first moment in `timeZone` */
          to?: string;
          groupBy?: "day" | "user" | "model" | "agent";
          /** Where days begin and end, such as Europe/Berlin */
          timeZone?: string;
          /** Only replies for this user */
          userId?: string;
          /** Only replies of this model, as `provider/model` */
          model?: string;
          /** Only replies of this agent; `none`: of no agent */
          agentId?: string;
        };
      },
      CoreUsageResult,
      {
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
      }
    >;
    /**
     * Read the state of the budgets that apply to the caller.
     *
     * For users with an access token or an API key. Needs the permission `usage:read`,
     * which an API key has by its scopes.
     */
    ownBudgets: Call<{}, CoreOwnBudgetsResult>;
    /**
     * List all budgets, each with what is spent of it.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `budget:administer`, which an API key has by its scopes.
     */
    listBudgets: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreListBudgetsResult,
      {
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
      }
    >;
    /**
     * Create a budget.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `budget:administer`, which an API key has by its scopes.
     */
    createBudget: Call<{ body: NewBudget }, Budget>;
    /**
     * Read a budget.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `budget:administer`, which an API key has by its scopes.
     */
    getBudget: Call<
      {
        params: {
          id: string;
        };
      },
      Budget
    >;
    /**
     * Change the name, amount or warning of a budget, or enable or disable it.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `budget:administer`, which an API key has by its scopes.
     */
    changeBudget: Call<
      {
        params: {
          id: string;
        };
        body: BudgetChange;
      },
      Budget
    >;
    /**
     * Delete a budget.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `budget:administer`, which an API key has by its scopes.
     */
    deleteBudget: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List who spent how much of a budget in the current period, highest first.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `budget:administer`, which an API key has by its scopes.
     */
    budgetSpending: PagedCall<
      {
        params: {
          id: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      CoreBudgetSpendingResult,
      {
        spender: string;
        /**
         * Name of the user or agent; null for others, and for users outside the caller's
         * organisation
         */
        name: string | null;
        spent: number;
      }
    >;
  };
  /** Runs of an agent: the loop of model calls and tool calls. */
  agent: {
    /**
     * Run the loop: ask the model, run its tools, ask again.
     *
     * For other services, the agent loop and users with an API key. Needs the
     * permission `agent:use`, which an API key has by its scopes.
     */
    run: JsonOrStreamCall<
      { body: RunRequest },
      RunResult,
      | ServerEvent<"text_delta", CoreSendEventTextDeltaData>
      | ServerEvent<"reasoning_delta", CoreSendEventTextDeltaData>
      | ServerEvent<"tool_call", CoreSendEventToolCallData>
      | ServerEvent<"tool_result", CoreSendEventToolResultData>
      | ServerEvent<"approval", CoreSendEventApprovalData>
      | ServerEvent<"warning", CoreSendEventWarningData>
      | ServerEvent<"answered_by", CoreSendEventAnsweredByData>
      | ServerEvent<"sources", CoreSendEventSourcesData>
      | ServerEvent<"canvas", CoreSendEventCanvasData>
      | ServerEvent<"research", CoreSendEventResearchData>
      | ServerEvent<"labels", CoreSendEventLabelsData>
      | ServerEvent<
          "done",
          {
            content: string;
            finishReason: FinishReason;
            iterations: number;
            usage: Usage;
            answeredBy?: AnsweredBy;
            /** With `approval`: what to send after the given messages, with the decisions */
            messages?: AgentMessage[];
          }
        >
      | ServerEvent<"error", CoreSendEventErrorData>
    >;
  };
  /** Tools and the servers that offer them, also as one server of MCP. */
  toolGateway: {
    /**
     * List the tools of all servers, for users to choose from.
     *
     * For users with an access token or an API key. Needs the permission `tool:read`,
     * which an API key has by its scopes.
     */
    listOfferedTools: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Part of the name, title or server */
          query?: string;
        };
      },
      ToolGatewayListOfferedToolsResult,
      {
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
      }
    >;
    /**
     * List the tool servers and their state.
     *
     * For services with the secret of the tool gateway and administrators of the
     * tenant that runs the installation. Needs the permission `tool:administer`, which
     * an API key has by its scopes.
     */
    listServers: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      ToolGatewayListServersResult,
      {
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
      }
    >;
    /**
     * List the tools that wait for approval: new and changed ones.
     *
     * For services with the secret of the tool gateway and administrators of the
     * tenant that runs the installation. Needs the permission `tool:administer`, which
     * an API key has by its scopes.
     */
    listWithheld: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      ToolGatewayListWithheldResult,
      {
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
      }
    >;
    /**
     * List the tools with their effects: read, add or destroy.
     *
     * For services with the secret of the tool gateway and administrators of the
     * tenant that runs the installation. Needs the permission `tool:administer`, which
     * an API key has by its scopes.
     */
    listClassified: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Part of the name, title or server */
          query?: string;
          /** Only tools of this server */
          server?: string;
        };
      },
      ToolGatewayListClassifiedResult,
      ToolGatewayListClassifiedResultItemsItem
    >;
    /**
     * Set the effect of a tool until the tool changes.
     *
     * For services with the secret of the tool gateway and administrators of the
     * tenant that runs the installation. Needs the permission `tool:administer`, which
     * an API key has by its scopes.
     */
    classifyTool: Call<
      {
        params: {
          server: string;
          /** The server's own name of the tool */
          tool: string;
        };
        body: ToolGatewayClassifyToolRequest;
      },
      ToolGatewayListClassifiedResultItemsItem
    >;
    /**
     * Approve a new or changed tool, so that it is offered.
     *
     * For services with the secret of the tool gateway and administrators of the
     * tenant that runs the installation. Needs the permission `tool:administer`, which
     * an API key has by its scopes.
     */
    approveTool: Call<
      { body: ToolGatewayApproveToolRequest },
      ToolGatewayApproveToolResult
    >;
    /**
     * Connect to a tool server that is not saved yet, and list its tools.
     *
     * Ends within 15 seconds. The address must be one that this server may call.
     * Stored headers go to the stored address only.
     *
     * For services with the secret of the tool gateway and administrators of the
     * tenant that runs the installation. Needs the permission `tool:administer`, which
     * an API key has by its scopes.
     */
    testServer: Call<{ body: ToolGatewayTestServerRequest }, ToolGatewayTestServerResult>;
    /**
     * List the tool servers that want your account or values of you.
     *
     * For users with an access token or an API key. Needs the permission `tool:read`,
     * which an API key has by its scopes.
     */
    listConnections: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Part of the name of a server */
          query?: string;
        };
      },
      ToolGatewayListConnectionsResult,
      {
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
      }
    >;
    /**
     * Begin to connect your account at a tool server.
     *
     * Visit `url` in a browser. It comes back to `/connections/callback/…`, whose page
     * sends what it was given to `/api/v1/tool-connections/complete`. Only the user
     * who began can end it.
     *
     * For users with an access token. Needs the permission `tool:read`, which an API
     * key has by its scopes.
     */
    connect: Call<
      {
        params: {
          server: string;
        };
      },
      ToolGatewayConnectResult
    >;
    /**
     * Begin to connect your account, with which the list of tools is read, too.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    connectForAll: Call<
      {
        params: {
          server: string;
        };
      },
      ToolGatewayConnectResult
    >;
    /**
     * End what was begun, with what the authorization server sent back.
     *
     * For users with an access token. Needs the permission `tool:read`, which an API
     * key has by its scopes.
     */
    completeConnection: Call<
      { body: ToolGatewayCompleteConnectionRequest },
      ToolGatewayCompleteConnectionResult
    >;
    /**
     * Fill in what a tool server wants of you in its headers.
     *
     * Encrypted, sent to the address of this server alone, and shown to nobody.
     *
     * For users with an access token. Needs the permission `tool:read`, which an API
     * key has by its scopes.
     */
    fillValues: Call<
      {
        params: {
          server: string;
        };
        body: ToolGatewayFillValuesRequest;
      },
      void
    >;
    /**
     * The same, with which the list of tools is read, too.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `tool:administer`, which an API key has by its scopes.
     */
    fillValuesForAll: Call<
      {
        params: {
          server: string;
        };
        body: ToolGatewayFillValuesRequest;
      },
      void
    >;
    /**
     * Forget your account at a tool server, and end its tokens there.
     *
     * What you filled in for its headers is forgotten, too.
     *
     * For users with an access token. Needs the permission `tool:read`, which an API
     * key has by its scopes.
     */
    disconnect: Call<
      {
        params: {
          server: string;
        };
      },
      void
    >;
    /**
     * What an authorization server reads about Parlance (client ID metadata document).
     *
     * For anybody, without a credential.
     */
    clientMetadata: Call<
      {
        params: {
          /** The beginning of the SHA-256 of its issuer, in hex */
          issuer: string;
        };
      },
      ToolGatewayClientMetadataResult
    >;
    /**
     * The same, of accounts that were connected before each issuer had its own.
     *
     * For anybody, without a credential.
     */
    earlierClientMetadata: Call<{}, ToolGatewayClientMetadataResult>;
    /**
     * Read the page in which a tool shows its results.
     *
     * For users with an access token or an API key. Needs the permission `tool:use`,
     * which an API key has by its scopes.
     */
    readView: Call<{ body: ToolGatewayReadViewRequest }, ToolGatewayReadViewResult>;
    /**
     * Read a resource as a view of its own server asks for it.
     *
     * For users with an access token or an API key. Needs the permission `tool:use`,
     * which an API key has by its scopes.
     */
    readViewResource: Call<
      { body: ToolGatewayReadViewResourceRequest },
      ToolGatewayReadViewResourceResult
    >;
    /**
     * List the resources of a view's own server.
     *
     * For users with an access token or an API key. Needs the permission `tool:use`,
     * which an API key has by its scopes.
     */
    listViewResources: Call<
      { body: ToolGatewayListViewResourcesRequest },
      ToolGatewayListViewResourcesResult
    >;
    /**
     * Call a tool as a view of its own server asks for it.
     *
     * A tool that may destroy something runs only with `approved`, once its user has
     * said yes.
     *
     * For users with an access token or an API key. Needs the permission `tool:use`,
     * which an API key has by its scopes.
     */
    callFromView: Call<
      { body: ToolGatewayCallFromViewRequest },
      ToolGatewayCallFromViewResult
    >;
    /**
     * Read the configuration and the lists of tools again now.
     *
     * For services with the secret of the tool gateway and administrators of the
     * tenant that runs the installation. Needs the permission `tool:administer`, which
     * an API key has by its scopes.
     */
    refresh: Call<{}, ToolGatewayRefreshResult>;
    /**
     * Use all tools over the Model Context Protocol (streamable HTTP).
     *
     * For services with the secret of the tool gateway, users with an API key and
     * clients of MCP that a user signed in to. Needs the permission `tool:use`, which
     * an API key has by its scopes.
     */
    mcpPost: JsonOrStreamCall<{}, unknown, ServerEvent<string, unknown>>;
    /**
     * Use the tools of one server alone over the Model Context Protocol.
     *
     * As /mcp, with the names that its tools have without the other servers.
     *
     * For services with the secret of the tool gateway, users with an API key and
     * clients of MCP that a user signed in to. Needs the permission `tool:use`, which
     * an API key has by its scopes.
     */
    mcpServerPost: JsonOrStreamCall<
      {
        params: {
          /** The name of a tool server */
          server: string;
        };
      },
      unknown,
      ServerEvent<string, unknown>
    >;
  };
  /** Flows that run on a schedule, on arriving files or on request. */
  automations: {
    /**
     * Submit a medium.
     *
     * multipart/form-data: `origin`, `type`, `path`, `tags`, `metadata`, `madeByRun`,
     * then `file`. `ruleId` is null if no rule matches; then no agent runs. A repeated
     * `Idempotency-Key` returns the same run for 24 hours.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:run`, which an API key has by its scopes.
     */
    takeMedium: Call<{ form: AutomationsTakeMediumRequest }, AcceptedMedium>;
    /**
     * List the caller's runs, newest first.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:read`, which an API key has by its scopes.
     */
    listRuns: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          status?: RunStatus;
          ruleId?: number;
          sourceId?: string;
          scheduleId?: string;
        };
      },
      AutomationsListRunsResult,
      RunSummary
    >;
    /**
     * Read a run with its transcript and each agent's state, attempts and output.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:read`, which an API key has by its scopes.
     */
    getRun: Call<
      {
        params: {
          id: string;
        };
      },
      Run
    >;
    /**
     * Delete a run; its conversations stay. 409 while it runs.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:delete`, which an API key has by its scopes.
     */
    removeRun: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * Follow a run until it ends.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:read`, which an API key has by its scopes.
     */
    runEvents: StreamCall<
      {
        params: {
          id: string;
        };
      },
      | ServerEvent<
          "run",
          {
            status: RunStatus;
            error: RunError | null;
          }
        >
      | ServerEvent<
          "agent",
          {
            agentId: string;
            status: StepStatus;
            /** Attempts so far */
            tries: number;
            /** The conversation with the agent's reply */
            conversationId: string | null;
            output: string | null;
            error: RunError | null;
          }
        >
    >;
    /**
     * Cancel a run; outputs so far stay. 409 if it has ended.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:run`, which an API key has by its scopes.
     */
    cancelRun: Call<
      {
        params: {
          id: string;
        };
      },
      Run
    >;
    /**
     * Run the agents that did not complete again; outputs so far stay. 409 while it
     * runs.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:run`, which an API key has by its scopes.
     */
    retryRun: Call<
      {
        params: {
          id: string;
        };
      },
      Run
    >;
    /**
     * Run again, with the rule's current agents if the rule exists. 409 while it runs.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:run`, which an API key has by its scopes.
     */
    rerun: Call<
      {
        params: {
          id: string;
        };
      },
      AcceptedMedium
    >;
    /**
     * Find the media that a rule would match, and why; the rule need not exist.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:read`, which an API key has by its scopes.
     */
    previewRule: Call<{ body: RulePreview }, AutomationsPreviewRuleResult>;
    /**
     * Detect the type of a file; it is not kept.
     *
     * multipart/form-data with `file`. The first 64 KiB are enough.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:read`, which an API key has by its scopes.
     */
    inspectMedium: Call<
      { form: AutomationsInspectMediumRequest },
      AutomationsInspectMediumResult
    >;
    /**
     * List the caller's schedules.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:read`, which an API key has by its scopes.
     */
    listSchedules: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      AutomationsListSchedulesResult,
      Schedule
    >;
    /**
     * Create a schedule.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:create`, which an API key has by its scopes.
     */
    createSchedule: Call<{ body: NewSchedule }, Schedule>;
    /**
     * Compute the next times of a cron expression; nothing is stored.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:read`, which an API key has by its scopes.
     */
    previewSchedule: Call<
      { body: AutomationsPreviewScheduleRequest },
      AutomationsPreviewScheduleResult
    >;
    /**
     * Read a schedule.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:read`, which an API key has by its scopes.
     */
    getSchedule: Call<
      {
        params: {
          id: string;
        };
      },
      Schedule
    >;
    /**
     * Change a schedule.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:update`, which an API key has by its scopes.
     */
    changeSchedule: Call<
      {
        params: {
          id: string;
        };
        body: ScheduleChange;
      },
      Schedule
    >;
    /**
     * Delete a schedule; its runs stay.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:delete`, which an API key has by its scopes.
     */
    removeSchedule: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * Start a run of a schedule now.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:run`, which an API key has by its scopes.
     */
    runSchedule: Call<
      {
        params: {
          id: string;
        };
      },
      AcceptedMedium
    >;
    /**
     * List the caller's watched sources.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:read`, which an API key has by its scopes.
     */
    listSources: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      AutomationsListSourcesResult,
      AutomationsSource
    >;
    /**
     * Watch a folder (administrators only) or a bucket, or create a webhook.
     *
     * Only this response contains the secret of a webhook.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:create`, which an API key has by its scopes.
     */
    createSource: Call<{ body: NewSource }, AutomationsCreateSourceResult>;
    /**
     * Read a source.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:read`, which an API key has by its scopes.
     */
    getSource: Call<
      {
        params: {
          id: string;
        };
      },
      AutomationsSource
    >;
    /**
     * Change a source's name, origin, type or tags, or activate or deactivate it.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:update`, which an API key has by its scopes.
     */
    changeSource: Call<
      {
        params: {
          id: string;
        };
        body: AutomationsChangeSourceRequest;
      },
      AutomationsSource
    >;
    /**
     * Delete a source; its runs stay.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:delete`, which an API key has by its scopes.
     */
    removeSource: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * List the files found in a folder or bucket and their results, newest first.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:read`, which an API key has by its scopes.
     */
    listSourceItems: PagedCall<
      {
        params: {
          id: string;
        };
        query?: {
          page?: number;
          limit?: number;
          /** `seen`: the file may still change */
          state?: "seen" | "taken" | "refused";
        };
      },
      AutomationsListSourceItemsResult,
      SourceItem
    >;
    /**
     * Replace the secret of a webhook; the old secret stops working at once.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `automation:update`, which an API key has by its scopes.
     */
    renewSecret: Call<
      {
        params: {
          id: string;
        };
      },
      AutomationsRenewSecretResult
    >;
    /**
     * Submit a medium as the body, signed as Standard Webhooks defines.
     *
     * For anybody, without a credential.
     */
    hook: Call<
      {
        params: {
          id: string;
        };
        bytes: Bytes;
      },
      AcceptedMedium
    >;
    /**
     * List the client's rules and the caller's own.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:read`, which an API key has by its scopes.
     */
    list: Call<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      Rule[]
    >;
    /**
     * Create a rule.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:create`, which an API key has by its scopes.
     */
    create: Call<{ body: NewRule }, Rule>;
    /**
     * Find rules by text in name, type and origin.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:read`, which an API key has by its scopes.
     */
    search: Call<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Text in the name, the type or the origin */
          q?: string;
          /**
           * `client`: matches media of everybody in the client; `personal`: only its
           * creator's
           */
          scope?: RuleScope;
          origin?: string;
          type?: string;
        };
      },
      Rule[]
    >;
    /**
     * Find the rule that a medium would match, and why; no agent runs.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:read`, which an API key has by its scopes.
     */
    match: Call<{ body: Medium }, AutomationsMatchResult>;
    /**
     * Read a rule.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:read`, which an API key has by its scopes.
     */
    get: Call<
      {
        params: {
          id: number;
        };
      },
      Rule
    >;
    /**
     * Change a rule.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:update`, which an API key has by its scopes.
     */
    change: Call<
      {
        params: {
          id: number;
        };
        body: RuleChange;
      },
      AutomationsChangeResult
    >;
    /**
     * Delete a rule.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:delete`, which an API key has by its scopes.
     */
    remove: Call<
      {
        params: {
          id: number;
        };
      },
      AutomationsRemoveResult
    >;
    /**
     * List a rule's runs without their media; for users who may change the rule.
     *
     * For users with an access token or an API key. Needs the permission
     * `automation:read`, which an API key has by its scopes.
     */
    listRuleRuns: PagedCall<
      {
        params: {
          id: number;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      AutomationsListRuleRunsResult,
      RuleRun
    >;
  };
  /** Documents, folders, files and vector stores. */
  documents: {
    /**
     * List your folders, or those in another folder (`parentId`).
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    listFolders: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          parentId?: string;
          /** Part of the name */
          query?: string;
        };
      },
      DocumentsListFoldersResult,
      {
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
      }
    >;
    /**
     * Create a folder.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:create`, which an API key has by its scopes.
     */
    createFolder: Call<{ body: DocumentsCreateFolderRequest }, DocumentsFolder>;
    /**
     * Read a folder.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    getFolder: Call<
      {
        params: {
          id: string;
        };
      },
      DocumentsFolder
    >;
    /**
     * Rename a folder, move it, or change how its files are processed.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    changeFolder: Call<
      {
        params: {
          id: string;
        };
        body: DocumentsChangeFolderRequest;
      },
      DocumentsFolder
    >;
    /**
     * Delete an empty folder.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:delete`, which an API key has by its scopes.
     */
    deleteFolder: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * Process a document again: all of it, or the indexing only (`from: embedding`).
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    reprocess: Call<
      {
        params: {
          id: string;
        };
        body?: DocumentsReprocessRequest;
      },
      StoredDocument
    >;
    /**
     * Stop processing a document; 409 when it is not being processed.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    stop: Call<
      {
        params: {
          id: string;
        };
      },
      StoredDocument
    >;
    /**
     * Exclude a failed document from `retry-failed`; 409 when it has not failed.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    skip: Call<
      {
        params: {
          id: string;
        };
      },
      StoredDocument
    >;
    /**
     * Process your failed documents again, except skipped ones; at most 1,000 per
     * call.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    retryFailed: Call<{ body?: DocumentsRetryFailedRequest }, ServerRetryDeadLettersResult>;
    /**
     * Upload a file as OpenAI's clients do it: a document in no folder.
     *
     * Its fields may be behind the file. Other fields, such as `expires_after`, are
     * refused. The same bytes are another file each time, and are stored once.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:create`, which an API key has by its scopes.
     */
    uploadFile: Call<{ form: DocumentsUploadFileRequest }, FileObject>;
    /**
     * List your files, which are your documents.
     *
     * A page has at most 1000, whatever `limit` says.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    listFiles: PagedCall<
      {
        query?: {
          limit?: number;
          /** By the time of creation */
          order?: "asc" | "desc";
          /** The id of the last file before the page */
          after?: string;
          purpose?: "assistants" | "user_data" | "vision";
        };
      },
      DocumentsListFilesResult,
      FileObject
    >;
    /**
     * Read a file that you may see.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    readFile: Call<
      {
        params: {
          file_id: string;
        };
      },
      FileObject
    >;
    /**
     * Delete a file, also from all vector stores.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:delete`, which an API key has by its scopes.
     */
    deleteFile: Call<
      {
        params: {
          file_id: string;
        };
      },
      DocumentsDeleteFileResult
    >;
    /**
     * Download a file as it was uploaded.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    readFileContent: Call<
      {
        params: {
          file_id: string;
        };
      },
      Response
    >;
    /**
     * Create a vector store: a folder of documents.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:create`, which an API key has by its scopes.
     */
    createStore: Call<{ body: DocumentsCreateStoreRequest }, VectorStore>;
    /**
     * List your vector stores, which are your folders.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    listStores: PagedCall<
      {
        query?: {
          limit?: number;
          /** By the time of creation */
          order?: "asc" | "desc";
          after?: string;
          before?: string;
        };
      },
      DocumentsListStoresResult,
      VectorStore
    >;
    /**
     * Read a vector store: a folder that you may see.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    readStore: Call<
      {
        params: {
          vector_store_id: string;
        };
      },
      VectorStore
    >;
    /**
     * Change the name or the metadata of a vector store.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    changeStore: Call<
      {
        params: {
          vector_store_id: string;
        };
        body?: DocumentsChangeStoreRequest;
      },
      VectorStore
    >;
    /**
     * Delete a vector store; its files stay, in no folder.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:delete`, which an API key has by its scopes.
     */
    deleteStore: Call<
      {
        params: {
          vector_store_id: string;
        };
      },
      DocumentsDeleteStoreResult
    >;
    /**
     * Attach a file to a vector store.
     *
     * A document of your own that is in no folder moves into this one; another stays
     * where it is, and each reader of the store finds it who may see it there.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    attachFile: Call<
      {
        params: {
          vector_store_id: string;
        };
        body: DocumentsAttachFileRequest;
      },
      StoreFile
    >;
    /**
     * List the files of a vector store.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    listStoreFiles: PagedCall<
      {
        params: {
          vector_store_id: string;
        };
        query?: {
          limit?: number;
          /** By the time of creation */
          order?: "asc" | "desc";
          after?: string;
          before?: string;
          filter?: "in_progress" | "completed" | "failed" | "cancelled";
        };
      },
      DocumentsListStoreFilesResult,
      StoreFile
    >;
    /**
     * Read a file of a vector store: its status and attributes.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    readStoreFile: Call<
      {
        params: {
          vector_store_id: string;
          file_id: string;
        };
      },
      StoreFile
    >;
    /**
     * Replace the attributes of a file of a vector store.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    changeStoreFile: Call<
      {
        params: {
          vector_store_id: string;
          file_id: string;
        };
        body: DocumentsChangeStoreFileRequest;
      },
      StoreFile
    >;
    /**
     * Take a file out of a vector store; the file itself stays.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    detachFile: Call<
      {
        params: {
          vector_store_id: string;
          file_id: string;
        };
      },
      DocumentsDetachFileResult
    >;
    /**
     * Attach several files to a vector store.
     *
     * Give `file_ids`, or `files` with attributes of their own.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    createBatch: Call<
      {
        params: {
          vector_store_id: string;
        };
        body: DocumentsCreateBatchRequest;
      },
      DocumentsCreateBatchResult
    >;
    /**
     * Read how far a batch of files is.
     *
     * The newest 100 of a vector store are kept, for 30 days.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    readBatch: Call<
      {
        params: {
          vector_store_id: string;
          batch_id: string;
        };
      },
      DocumentsCreateBatchResult
    >;
    /**
     * Stop processing those files of a batch that are not done.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    cancelBatch: Call<
      {
        params: {
          vector_store_id: string;
          batch_id: string;
        };
      },
      DocumentsCreateBatchResult
    >;
    /**
     * List the files of a batch.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    listBatchFiles: PagedCall<
      {
        params: {
          vector_store_id: string;
          batch_id: string;
        };
        query?: {
          limit?: number;
          /** By the time of creation */
          order?: "asc" | "desc";
          after?: string;
          before?: string;
          filter?: "in_progress" | "completed" | "failed" | "cancelled";
        };
      },
      DocumentsListStoreFilesResult,
      StoreFile
    >;
    /**
     * Upload a file (multipart/form-data: `folderId`, `password` and `as`, then
     * `file`).
     *
     * An owner stores the same bytes once. A second upload into the same folder, or
     * without a folder, returns the first document, with status 200 and `deduplicated:
     * true`. In another folder it makes a document of its own that shares the stored
     * file.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:create`, which an API key has by its scopes.
     */
    upload: Call<{ form: DocumentsUploadRequest }, UploadedDocument>;
    /**
     * List your documents and those shared with you, or those of a folder
     * (`folderId`).
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    list: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          folderId?: string;
          /**
           * `own`: only yours. `attachments`: files that you gave to conversations, which
           * are not among your documents
           */
          scope?: "own" | "all" | "attachments";
          status?: DocumentStatus;
          /**
           * Whether they failed and are left so, by `skip`: with `status=FAILED`, `false`
           * finds those that `retry-failed` takes
           */
          skipped?: boolean;
          /** Part of the name */
          query?: string;
          /** `status` sorts by the steps of processing; failed ones are the last */
          sort?: DocumentSort;
          /** Default: `desc` by `updatedAt` and `size`, else `asc` */
          order?: "asc" | "desc";
        };
      },
      DocumentsListResult,
      StoredDocument
    >;
    /**
     * The names of several documents and folders; those that the caller may not see
     * are left out.
     *
     * For users with an access token or an API key. Needs the permission
     * `document:read`, which an API key has by its scopes.
     */
    titles: Call<
      {
        query: {
          /** Comma-separated */
          ids: string;
        };
      },
      {
        id: string;
        type: "document" | "folder";
        title: string;
        updatedAt: string;
      }[]
    >;
    /**
     * Get a document.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    get: Call<
      {
        params: {
          id: string;
        };
      },
      StoredDocument
    >;
    /**
     * Rename a document, move it, or make an attachment a document.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:update`, which an API key has by its scopes.
     */
    change: Call<
      {
        params: {
          id: string;
        };
        body: DocumentsChangeRequest;
      },
      StoredDocument
    >;
    /**
     * Delete a document and its bytes.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:delete`, which an API key has by its scopes.
     */
    remove: Call<
      {
        params: {
          id: string;
        };
      },
      void
    >;
    /**
     * Download the file as it was uploaded, or a range of its bytes.
     *
     * `inline` lets a browser show pictures (PNG, JPEG, GIF, WebP, BMP) and PDF; files
     * of other types are downloads all the same.
     *
     * For users with an access token or an API key, users with an API key and services
     * with the shared secret. Needs the permission `document:read`, which an API key
     * has by its scopes.
     */
    content: Call<
      {
        params: {
          id: string;
        };
        query?: {
          inline?: boolean;
        };
      },
      Response
    >;
    /**
     * Get the text of a document as markdown; form feeds separate its pages.
     *
     * For users with an access token or an API key, users with an API key and services
     * with the shared secret. Needs the permission `document:read`, which an API key
     * has by its scopes.
     */
    markdown: Call<
      {
        params: {
          id: string;
        };
      },
      Response
    >;
    /**
     * Get the size of a page of a PDF file, and where its words stand on it.
     *
     * An isolated process reads the file. At most 120 pages a minute; a file under a
     * password has none.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    originalPage: Call<
      {
        params: {
          id: string;
          page: number;
        };
      },
      OriginalPage
    >;
    /**
     * Get a page of a PDF file as a picture.
     *
     * An isolated process reads the file. At most 120 pages a minute; a file under a
     * password has none.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    pagePicture: Call<
      {
        params: {
          id: string;
          page: number;
        };
      },
      Response
    >;
    /**
     * List the chunks of a document, in order.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    chunks: PagedCall<
      {
        params: {
          id: string;
        };
        query?: {
          page?: number;
          limit?: number;
        };
      },
      DocumentsChunksResult,
      StoredChunk
    >;
    /**
     * Preview the chunks of a document with other settings, without changing its
     * index.
     *
     * A missing setting comes from the document's folder.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    previewChunks: Call<
      {
        params: {
          id: string;
        };
        body?: DocumentsPreviewChunksRequest;
      },
      DocumentsPreviewChunksResult
    >;
    /**
     * Follow the status of a document until it is PROCESSED or FAILED.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    events: StreamCall<
      {
        params: {
          id: string;
        };
      },
      ServerEvent<
        "status",
        {
          status: DocumentStatus;
          progress: number;
          error: StoredDocumentError | null;
        }
      >
    >;
    /**
     * Count your documents by status, and report how much of the quota they use.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:read`, which an API key has by its scopes.
     */
    summary: Call<{}, DocumentsSummaryResult>;
  };
  /** Files to text, with pages, tables and pictures. */
  parser: {
    /**
     * Convert a file to markdown; 10 per minute.
     *
     * The body is the file, with its name in the header X-Original-Filename
     * (percent-encoded), or multipart/form-data. With "Accept: text/markdown" the
     * response is the markdown itself.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    parse: Call<
      {
        query?: {
          /** The backend to try first; default: chosen by the file's type */
          parser_method?:
            | "document_intelligence"
            | "pdf_fallback"
            | "optional_parser_one"
            | "optional_parser_two"
            | "local"
            | "auto";
          /** Also return the tables as rows */
          extract_tables?: boolean;
          /** Also return the images */
          extract_images?: boolean;
          /**
           * Run OCR on pages without text. Default: false, but image files are read, unless
           * it is false
           */
          ocr_enabled?: boolean;
          /** auto: only pages without text */
          ocr_mode?: "auto" | "always" | "never";
          /** Describe the images with a vision model */
          caption_images?: boolean;
          /** The document that the file belongs to */
          document_id?: string;
          /** The user on whose behalf a service calls */
          user_id?: string;
        };
        form: AutomationsInspectMediumRequest;
      },
      Response
    >;
    /**
     * Convert a file in the background; 30 per minute.
     *
     * The body is the file, with its name in the header X-Original-Filename
     * (percent-encoded), or multipart/form-data. The same Idempotency-Key with the
     * same bytes returns the same job.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    parseAsync: Call<
      {
        query?: {
          /** The backend to try first; default: chosen by the file's type */
          parser_method?:
            | "document_intelligence"
            | "pdf_fallback"
            | "optional_parser_one"
            | "optional_parser_two"
            | "local"
            | "auto";
          /** Also return the tables as rows */
          extract_tables?: boolean;
          /** Also return the images */
          extract_images?: boolean;
          /**
           * Run OCR on pages without text. Default: false, but image files are read, unless
           * it is false
           */
          ocr_enabled?: boolean;
          /** auto: only pages without text */
          ocr_mode?: "auto" | "always" | "never";
          /** Describe the images with a vision model */
          caption_images?: boolean;
          /** The document that the file belongs to */
          document_id?: string;
          /** The user on whose behalf a service calls */
          user_id?: string;
        };
        form: AutomationsInspectMediumRequest;
      },
      ParserParseAsyncResult
    >;
    /**
     * Get the progress and the result of a job.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    parseStatus: Call<
      {
        params: {
          job_id: string;
        };
      },
      ParserParseStatusResult
    >;
    /**
     * Cancel a job, or delete a finished one.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    parseCancel: Call<
      {
        params: {
          job_id: string;
        };
      },
      void
    >;
    /**
     * Download the markdown of a finished job.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    parseMarkdown: Call<
      {
        params: {
          job_id: string;
        };
      },
      Response
    >;
    /**
     * Check which backends are reachable.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    parserHealth: Call<{}, ParserParserHealthResult>;
    /**
     * List the formats, backends and limits, and what is not configured.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    parserInfo: Call<{}, ParserParserInfoResult>;
    /**
     * Cut a file into chunks.
     *
     * The body is the file, with its name in the header X-Original-Filename
     * (percent-encoded), or multipart/form-data.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    processDocument: Call<
      {
        query?: {
          /** Tokens per chunk */
          chunk_size?: number;
          /** Tokens that adjacent chunks share; less by default for small chunks */
          overlap?: number;
          /** The backend to try first; default: chosen by the file's type */
          parser_method?:
            | "document_intelligence"
            | "pdf_fallback"
            | "optional_parser_one"
            | "optional_parser_two"
            | "local"
            | "auto";
          /**
           * Run OCR on pages without text. Default: false, but image files are read, unless
           * it is false
           */
          ocr_enabled?: boolean;
          /** auto: only pages without text */
          ocr_mode?: "auto" | "always" | "never";
          /** Describe the images with a vision model */
          caption_images?: boolean;
        };
        form: AutomationsInspectMediumRequest;
      },
      ParserProcessDocumentResult
    >;
    /**
     * Cut a file into chunks; the same at a path without a version.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    processDocumentPlain: Call<
      {
        query?: {
          /** Tokens per chunk */
          chunk_size?: number;
          /** Tokens that adjacent chunks share; less by default for small chunks */
          overlap?: number;
          /** The backend to try first; default: chosen by the file's type */
          parser_method?:
            | "document_intelligence"
            | "pdf_fallback"
            | "optional_parser_one"
            | "optional_parser_two"
            | "local"
            | "auto";
          /**
           * Run OCR on pages without text. Default: false, but image files are read, unless
           * it is false
           */
          ocr_enabled?: boolean;
          /** auto: only pages without text */
          ocr_mode?: "auto" | "always" | "never";
          /** Describe the images with a vision model */
          caption_images?: boolean;
        };
        form: AutomationsInspectMediumRequest;
      },
      ParserProcessDocumentResult
    >;
    /**
     * Liveness.
     *
     * For anybody, without a credential.
     */
    probeHealthz: Call<{}, ServerLivenessResult>;
    /**
     * Liveness; checks no dependency.
     *
     * For anybody, without a credential.
     */
    probeLiveness: Call<{}, ServerLivenessResult>;
    /**
     * Readiness of memory, disk, parsers and queue; 503 when one is down.
     *
     * For anybody, without a credential, programs of the same machine, services with
     * the shared secret and administrators. Needs the permission `queue:administer`,
     * which an API key has by its scopes.
     */
    probeReadiness: Call<{}, ParserProbeReadinessResult>;
    /**
     * The same as /health/readiness.
     *
     * For anybody, without a credential, programs of the same machine, services with
     * the shared secret and administrators. Needs the permission `queue:administer`,
     * which an API key has by its scopes.
     */
    probeReadyz: Call<{}, ParserProbeReadinessResult>;
    /**
     * Readiness with the status of every backend.
     *
     * For anybody, without a credential, programs of the same machine, services with
     * the shared secret and administrators. Needs the permission `queue:administer`,
     * which an API key has by its scopes.
     */
    probeDetailed: Call<{}, ParserProbeDetailedResult>;
  };
  /** PDF files to text, for the parser. */
  pdfBackend: {
    /**
     * Read a PDF with the local backend only.
     *
     * The body is the file, named by the header X-Original-Filename (percent-encoded),
     * or multipart/form-data.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    parsePdf: Call<
      {
        query?: {
          /** Also return the tables as rows */
          extract_tables?: boolean;
          /** Also return the images */
          extract_images?: boolean;
          /**
           * Run OCR on pages without text. Default: false, but image files are read, unless
           * it is false
           */
          ocr_enabled?: boolean;
          /** auto: only pages without text */
          ocr_mode?: "auto" | "always" | "never";
        };
        form: AutomationsInspectMediumRequest;
      },
      BackendAnswer
    >;
  };
  /** Flows of Langflow, offered as agents and tools. */
  integrations: {
    /**
     * List the names of the configured providers.
     *
     * For anybody, without a credential.
     */
    listProviders: Call<{}, IntegrationsListProvidersResult>;
    /**
     * Ensure that the service holds the caller's tokens at a provider; it never
     * returns them.
     *
     * For users with an access token or an API key. Needs the permission `flow:run`,
     * which an API key has by its scopes.
     */
    ensureTokens: Call<
      {
        params: {
          providerName: string;
        };
      },
      EnsuredTokens
    >;
    /**
     * Ensure that the caller has an account at a provider.
     *
     * For users with an access token or an API key. Needs the permission `flow:run`,
     * which an API key has by its scopes.
     */
    ensureAccount: Call<
      {
        params: {
          providerName: string;
        };
      },
      IntegrationsEnsureAccountResult
    >;
    /**
     * Check the health of one provider.
     *
     * For anybody, without a credential, programs of the same machine, services with
     * the shared secret and users with an access token or an API key.
     */
    providerHealth: Call<
      {
        params: {
          providerName: string;
        };
      },
      IntegrationsProviderHealth
    >;
    /**
     * Check the health of all providers.
     *
     * For anybody, without a credential, programs of the same machine, services with
     * the shared secret and users with an access token or an API key.
     */
    allHealth: Call<{}, IntegrationsAllHealthResult>;
    /**
     * List the flows that the caller may run: own ones, then granted ones.
     *
     * For users with an access token or an API key. Needs the permission `flow:read`,
     * which an API key has by its scopes.
     */
    listFlows: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      IntegrationsListFlowsResult,
      Flow
    >;
    /**
     * Create or import a flow.
     *
     * For users with an access token or an API key. Needs the permission
     * `flow:create`, which an API key has by its scopes.
     */
    createFlow: Call<{ body: NewFlow }, Flow>;
    /**
     * Read a flow that the caller may run; with its graph for the owner.
     *
     * For users with an access token or an API key and services with the shared
     * secret. Needs the permission `flow:read`, which an API key has by its scopes.
     */
    getFlow: Call<
      {
        params: {
          flowId: string;
        };
        query?: {
          /** For services: the user */
          userId?: string;
        };
      },
      IntegrationsGetFlowResult
    >;
    /**
     * Run a flow with input.
     *
     * For users with an access token or an API key, programs with a key of the flow
     * and services with the shared secret. Needs the permission `flow:run`, which an
     * API key has by its scopes.
     */
    runFlow: JsonOrStreamCall<
      {
        params: {
          flowId: string;
        };
        body: RunFlow;
      },
      FlowResult,
      | ServerEvent<"text_delta", CoreSendEventTextDeltaData>
      | ServerEvent<
          "done",
          {
            flowId: string;
            sessionId: string;
            output: string;
            outputs: FlowResultOutputsItem[];
            durationMs: number;
          }
        >
      | ServerEvent<"error", CoreSendEventErrorData>
    >;
    /**
     * Refresh the access token that the service holds for the caller.
     *
     * For users with an access token or an API key. Needs the permission `flow:run`,
     * which an API key has by its scopes.
     */
    refreshTokens: Call<{}, IntegrationsRefreshTokensResult>;
    /**
     * Check the health of the flow provider.
     *
     * For anybody, without a credential, programs of the same machine, services with
     * the shared secret and users with an access token or an API key.
     */
    flowProviderHealth: Call<{}, IntegrationsFlowProviderHealthResult>;
    /**
     * Read the caller's key and the flows that it runs.
     *
     * For users with an access token. Needs the permission `flow:run`, which an API
     * key has by its scopes.
     */
    getFlowKey: Call<{}, IntegrationsGetFlowKeyResult>;
    /**
     * Grant a flow to a user; the first grant creates the user's key.
     *
     * For administrators. Needs the permission `flow:administer`, which an API key has
     * by its scopes.
     */
    grantFlow: Call<{ body: Grant }, IntegrationsGrantFlowResult>;
    /**
     * Grant a flow to those who are members of a group now, in nested groups too.
     *
     * For administrators. Needs the permission `flow:administer`, which an API key has
     * by its scopes.
     */
    grantFlowToGroup: Call<{ body: GroupGrant }, IntegrationsGrantFlowToGroupResult>;
    /**
     * List flows to grant: of the operator's account, of the caller, and granted in
     * the tenant.
     *
     * For administrators. Needs the permission `flow:administer`, which an API key has
     * by its scopes.
     */
    listGrantableFlows: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          /** Part of the name */
          query?: string;
        };
      },
      IntegrationsListGrantableFlowsResult,
      {
        id: string;
        name: string;
        description: string;
        /** null: a flow of the operator's account */
        ownerId: string | null;
      }
    >;
    /**
     * Revoke flows from users or from the members of a group, at once.
     *
     * For administrators. Needs the permission `flow:administer`, which an API key has
     * by its scopes.
     */
    revokeFlows: Call<{ body: Revocation }, RevocationResult>;
    /**
     * List which user may run which flow, and who granted it.
     *
     * For administrators. Needs the permission `flow:administer`, which an API key has
     * by its scopes.
     */
    listPermissions: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
          userId?: string;
          flowId?: string;
        };
      },
      IntegrationsListPermissionsResult,
      {
        userId: string;
        flowId: string;
        /** As last seen at the provider */
        flowName: string;
        grantedBy: string;
        grantedAt: string;
      }
    >;
  };
  /** Vectors of texts, and the models that make them. */
  embedding: {
    /**
     * Cut a text into chunks, without embedding them.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    chunk: Call<{ body: EmbeddingChunkRequestForm1 & Cut }, EmbeddingChunkResult>;
    /**
     * List the chunking methods.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    chunkMethods: Call<{}, EmbeddingChunkMethodsResult>;
    /**
     * Embed one text.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    embedSingle: Call<{ body: EmbeddingEmbedSingleRequest }, EmbeddingEmbedSingleResult>;
    /**
     * Embed up to 100 texts; the vectors are in the order of the texts.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    embed: Call<{ body: EmbeddingEmbedRequest }, EmbeddingEmbedResult>;
    /**
     * Get the active embedding model, and the next one while it embeds all chunks.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    embedModel: Call<{}, EmbeddingEmbedModelResult>;
    /**
     * Choose the embedding model for all documents.
     *
     * The model is tested first, and its error is answered. It then embeds all chunks
     * in the background and replaces the one in use. The last of several choices
     * counts. Texts that it refused before are tried again.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    chooseModel: Call<{ body: EmbeddingChooseModelRequest }, EmbeddingChooseModelResult>;
    /**
     * List the embedding models that can be chosen.
     *
     * The model that the environment names, the built-in one, and the embedding models
     * of the catalogue that are enabled and whose provider embeds texts.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    modelCandidates: PagedCall<
      {
        query?: {
          page?: number;
          limit?: number;
        };
      },
      EmbeddingModelCandidatesResult,
      {
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
      }
    >;
    /**
     * Test an embedding model: embed a short text.
     *
     * Changes nothing. A model that does not answer as it should is a 200 with `ok:
     * false` and the reason in `error`.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    testModel: Call<{ body: EmbeddingChooseModelRequest }, EmbeddingTestModelResult>;
    /**
     * Cancel the change of the embedding model; the one in use stays.
     *
     * For administrators of the tenant that runs the installation. Needs the
     * permission `model:administer`, which an API key has by its scopes.
     */
    cancelModelChange: Call<{}, EmbeddingCancelModelChangeResult>;
    /**
     * Embed texts as OpenAI's clients ask for it.
     *
     * `model` is the one of `GET /api/v1/embed/model`.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:process`, which an API key has by its scopes.
     */
    openAiEmbeddings: Call<
      { body: EmbeddingOpenAiEmbeddingsRequest },
      EmbeddingOpenAiEmbeddingsResult
    >;
    /**
     * Get the embedding progress of a document.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:read`, which an API key has by its
     * scopes.
     */
    embedStatus: Call<
      {
        params: {
          document_id: string;
        };
      },
      EmbeddingEmbedStatusResult
    >;
    /**
     * Cut, optionally translate and embed a text, and store it as its document's
     * index.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    process: Call<{ body: EmbeddingProcessRequestForm1 & Cut }, EmbeddingProcessResult>;
    /**
     * Check whether texts can be translated.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:process`, which an API key has by its
     * scopes.
     */
    translationHealth: Call<{}, EmbeddingTranslationHealthResult>;
    /**
     * Translate a text to English.
     *
     * For users with an access token or an API key. Needs the permission
     * `document:process`, which an API key has by its scopes.
     */
    translate: Call<{ body: EmbeddingTranslateRequest }, Translation>;
    /**
     * Translate several texts to English.
     *
     * For users with an access token or an API key. Needs the permission
     * `document:process`, which an API key has by its scopes.
     */
    translateBatch: Call<
      { body: EmbeddingTranslateBatchRequest },
      EmbeddingTranslateBatchResult
    >;
  };
  /** Search in documents by meaning and by words. */
  retrieval: {
    /**
     * Measure ways of retrieving by questions with known answers; a stream with
     * progress.
     *
     * Searches the documents that you may see. With passages, the ranks are those of
     * chunks, otherwise those of documents. Ends with the event `result` or `error`;
     * closing the stream cancels it.
     *
     * For users with an access token or an API key and users with an API key. Needs
     * the permission `document:search`, which an API key has by its scopes.
     */
    evaluate: StreamCall<
      { body: EvaluationRequest },
      | ServerEvent<
          "progress",
          {
            /** Searches that have ended */
            done: number;
            total: number;
          }
        >
      | ServerEvent<
          "result",
          {
            variants: VariantFigures[];
          }
        >
      | ServerEvent<"error", CoreSendEventWarningData>
    >;
    /**
     * Search a vector store as OpenAI's clients do it.
     *
     * The best passages of all questions, each once.
     *
     * For users with an API key and users with an access token or an API key. Needs
     * the permission `document:search`, which an API key has by its scopes.
     */
    searchStore: Call<
      {
        params: {
          vector_store_id: string;
        };
        body: RetrievalSearchRequest;
      },
      StoreResults
    >;
    /**
     * Find the chunks of documents that answer a question, best first.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:search`, which an API key has by its
     * scopes.
     */
    retrieve: Call<
      {
        query?: {
          /** Neighbouring chunks on each side */
          window?: number;
        };
        body: RetrieveRequest;
      },
      RetrieveResponse
    >;
    /**
     * Why a document is, or is not, among the results of a question, for each engine.
     *
     * For users with an access token or an API key. Needs the permission
     * `document:search`, which an API key has by its scopes.
     */
    explain: Call<{ body: ExplainRequest }, Explanation>;
    /**
     * Find the chunks nearest to a vector; 409 when it has another model or other
     * dimensions.
     *
     * For other services, users with an access token or an API key and users with an
     * API key. Needs the permission `document:search`, which an API key has by its
     * scopes.
     */
    similaritySearch: Call<{ body: SimilaritySearch }, RetrievalSimilaritySearchResult>;
  };
}
