import type { z } from "zod";
import type { Fetch } from "../../../platform/http/call.ts";
import { BadGateway } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { NewFlow } from "../contract-flows.ts";

/** A provider: a folder that exports a `ProviderDefinition`, listed in `registry.ts`. */
export interface Provider {
  /** The name in paths and responses. */
  name: string;
  /**
   * Checks that the provider can be used, and returns its version.
   * @throws ApiError otherwise; `ProviderRefused` if it responds but is not safe to use.
   */
  check(): Promise<{ version: string }>;
  users: ProviderUsers;
  records: AccountRecords;
  flows: ProviderFlows;
}

/** Calls with the operator's account, which creates accounts, and with those accounts. */
export interface ProviderUsers {
  usernameFor(userId: string): string;
  /** Creates and activates a user. A user left over from an earlier attempt gets this password. */
  create(username: string, password: string, signal: AbortSignal): Promise<void>;
  /** @throws CredentialsRefused. */
  login(username: string, password: string, signal: AbortSignal): Promise<TokenSet>;
  /** @throws CredentialsRefused if the refresh token is no longer valid. */
  refresh(tokens: TokenSet, signal: AbortSignal): Promise<TokenSet>;
  createKey(tokens: TokenSet, name: string, signal: AbortSignal): Promise<string>;
  /** Deletes the user with all their data. Idempotent. */
  remove(username: string, signal: AbortSignal): Promise<void>;
}

/** Tokens, which are never stored. */
export interface TokenSet {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Accounts as the users service stores them. */
export interface AccountRecords {
  get(userId: string, signal?: AbortSignal): Promise<AccountRecord | undefined>;
  /** Creates or changes the record. */
  save(
    userId: string,
    record: Required<AccountRecord>,
    existing: boolean,
    signal?: AbortSignal,
  ): Promise<void>;
}

export interface AccountRecord {
  username: string;
  password: string;
  apiKey: string | null;
}

/**
 * Flows of the account that a key belongs to. Each throws NotFound `flow_not_found` and
 * CredentialsRefused.
 */
export interface ProviderFlows {
  /** The key of the operator's own account, whose flows belong to nobody here. */
  operatorKey: string;
  list(key: string, signal: AbortSignal): Promise<FlowHead[]>;
  create(key: string, flow: NewFlow, signal: AbortSignal): Promise<FlowHead>;
  get(
    key: string,
    flowId: string,
    signal: AbortSignal,
  ): Promise<FlowHead & { data: unknown }>;
  /**
   * Resolves when the provider took the run; its events end with exactly one `result`, or throw.
   */
  run(key: string, ask: FlowRun, signal: AbortSignal): Promise<AsyncIterable<RunPart[]>>;
}

export interface FlowHead {
  id: string;
  name: string;
  description: string;
  updatedAt: string | null;
}

export interface FlowRun {
  flowId: string;
  input: string;
  inputType: string;
  outputType: string;
  /** The provider's memory of earlier runs. */
  sessionId: string;
  tweaks: Record<string, unknown> | undefined;
  files: readonly { name: string; mimeType: string; bytes: Uint8Array }[];
}

export type RunPart =
  | { type: "text"; delta: string }
  | {
      type: "result";
      output: string;
      outputs: { component: string; text?: string; data?: unknown }[];
    };

/** The provider refused a password, token or key. */
export class CredentialsRefused extends BadGateway {
  constructor(options?: { cause?: unknown }) {
    super(
      "provider_credentials_refused",
      "The flow provider refused the stored sign-in. Try again; if this repeats, ask an administrator.",
      options,
    );
  }
}

/** The provider responds, but must not be used. */
export class ProviderRefused extends BadGateway {}

export interface ProviderDeps {
  outgoing: Outgoing;
  log: Logger;
  users: Fetch;
}

export interface ProviderDefinition<Config extends z.ZodObject = z.ZodObject> {
  config: Config;
  /** Returns `undefined` if the provider is not configured. */
  open(config: z.output<Config>, deps: ProviderDeps): Provider | undefined;
}
