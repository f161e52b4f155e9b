import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { shortenText } from "../../platform/shorten-text.ts";
import type { Answer } from "./call-tool.ts";

const MAX_ERROR_CHARACTERS = 1_000;
/**
 * The server needs something that the caller did not say it can be asked. Source: Model Context
 * Protocol, 2026-07-28, errors.
 */
export const MISSING_CAPABILITY = -32_021;

/** What a server answers to a request that it refuses, in its own words. */
export class RemoteError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: NonNullable<Answer["error"]>) {
    super(
      shortenText(String(message ?? "The server gave no reason."), MAX_ERROR_CHARACTERS),
    );
    this.code = Number.isInteger(code) ? (code as number) : ErrorCode.InternalError; // just checked
    this.data = data;
  }
}
