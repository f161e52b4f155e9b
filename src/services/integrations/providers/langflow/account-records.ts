import { call, type Fetch } from "../../../../platform/http/call.ts";
import { ApiError } from "../../../../platform/http/errors.ts";
import { accountsContract } from "../../../users/contract-accounts.ts";
import type { AccountRecords } from "../provider.ts";

const TIMEOUT_MS = 5_000;

/** Accounts at Langflow, which the users service stores encrypted. */
export function accountRecords(users: Fetch): AccountRecords {
  return {
    async get(userId, signal) {
      try {
        const { username, password, apiKey } = await call(
          users,
          accountsContract.getFlowAccount,
          { query: { userId } },
          { signal, timeoutMs: TIMEOUT_MS },
        );
        return { username, password, apiKey };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      }
    },
    async save(userId, record, existing, signal) {
      const options = { signal, timeoutMs: TIMEOUT_MS };
      if (existing)
        await call(
          users,
          accountsContract.changeFlowAccount,
          { params: { userId }, body: record },
          options,
        );
      else
        await call(
          users,
          accountsContract.createFlowAccount,
          { body: { userId, ...record } },
          options,
        );
    },
  };
}
