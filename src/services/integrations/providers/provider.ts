import type { z } from "zod";
import type { Fetch } from "../../../platform/http/call.ts";
import { BadGateway } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { NewFlow } from "../contract-flows.ts";

/**
 * What every provider is to this service. One joins with a folder that exports a
 * `ProviderDefinition`, listed in `registry.ts`.
 */
export interface Provider {
  /** In paths and in answers. */
  name: string;
  /**
   * @returns its version, when it may be used.
   * @throws ApiError otherwise; `ProviderRefused` when it answers and is not safe to use.
   */
  check(): Promise<{ version: string }>;
  users: ProviderUsers;
  records: AccountRecords;
  flows: ProviderFlows;
}

/**
 * Calls of the operator's own account that make other accounts, and of those accounts. Each throws
 * ApiErrors.
 */
export interface ProviderUsers {
  usernameFor(userId: string): string;
  /**
   * Makes the user and activates him. One who is there already gets this password: what an earlier
   * try left behind.
   */
  create(username: string, password: string, signal: AbortSignal): Promise<void>;
  /** @throws CredentialsRefused. */
  login(username: string, password: string, signal: AbortSignal): Promise<TokenSet>;
  /** @throws CredentialsRefused when the refresh token does not hold any more. */
  refresh(tokens: TokenSet, signal: AbortSignal): Promise<TokenSet>;
  createKey(tokens: TokenSet, name: string, signal: AbortSignal): Promise<string>;
  /** Removes the user and all he has there; one who is not there is fine. */
  remove(username: string, signal: AbortSignal): Promise<void>;
}

/** In memory only. */
export interface TokenSet {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** What is kept of an account, in the users service. */
export interface AccountRecords {
  get(userId: string, signal?: AbortSignal): Promise<AccountRecord | undefined>;
  /** Makes it, or changes what is there. */
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
  get(key: string, flowId: string, signal: AbortSignal): Promise<FlowHead & { data: unknown }>;
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

/** A password, token or key that the provider does not take, or not any more. */
export class CredentialsRefused extends BadGateway {
  constructor(options?: { cause?: unknown }) {
    super(
      "provider_credentials_refused",
      "The flow provider refused the stored sign-in. Try again; if it stays, ask an administrator.",
      options,
    );
  }
}

/** The provider answers, and must not be used. */
export class ProviderRefused extends BadGateway {
  constructor(reason: string) {
    super("provider_refused", reason);
  }
}

export interface ProviderDeps {
  outgoing: Outgoing;
  log: Logger;
  users: Fetch;
}

export interface ProviderDefinition<Config extends z.ZodObject = z.ZodObject> {
  config: Config;
  /** `undefined`: it is not configured, so it is off. */
  open(config: z.output<Config>, deps: ProviderDeps): Provider | undefined;
}
