import { createHmac, timingSafeEqual } from "node:crypto";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { randomSecret, deriveKey } from "../../platform/auth/secrets.ts";

/** The request that a state continues. */
export interface StateOf {
  caller: string;
  server: string;
  method: string;
  /** The tool, the prompt or the address. */
  target: string;
}

/**
 * Signs the states of tool servers, which travel through clients: all users share one credential at
 * a server, so it cannot know whose state comes back. One of another user, or for another tool, is
 * refused here.
 */
export interface StateSeal {
  seal(of: StateOf, state: string): string;
  /** @throws ProtocolError for a state that was changed, or belongs elsewhere. */
  open(of: StateOf, sealed: string): string;
}

/** @param secret that of all replicas; without one, states end with the process */
export function createStateSeal(secret: string): StateSeal {
  const key = deriveKey(secret || randomSecret(), "mcp request states");
  const sign = ({ caller, server, method, target }: StateOf, state: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([caller, server, method, target, state]))
      .digest("base64url");
  return {
    seal: (of, state) => `${sign(of, state)}.${state}`,
    open(of, sealed) {
      const end = sealed.indexOf(".");
      const state = sealed.slice(end + 1);
      const given = Buffer.from(sealed.slice(0, Math.max(0, end)));
      const expected = Buffer.from(sign(of, state));
      if (given.length === expected.length && timingSafeEqual(given, expected))
        return state;
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "The requestState does not belong to this request. Send the request without it again.",
        { reason: "invalid_request_state" },
      );
    },
  };
}
