import { BadGateway } from "../../../platform/http/errors.ts";
import type { ToolServer } from "../contract.ts";
import type { Account, SignInHeaders } from "../sign-in/account.ts";
import {
  fillTemplates,
  type HeaderTemplates,
  headerTemplatesOf,
  secretPlaces,
} from "./header-templates.ts";
import type { FilledValues, UserValues } from "./store.ts";

export interface PersonalHeadersDeps {
  values: Pick<UserValues, "find" | "findListing">;
  /** Of a user who is active. */
  emailOf: (userId: string) => Promise<string | undefined>;
  /** Whether the list of tools may be read with the values of a user now. */
  mayList: (userId: string) => Promise<boolean>;
}

/** The headers of one tool server that differ from user to user. */
export interface PersonalHeaders extends HeaderTemplates {
  /**
   * @returns undefined where the user, or for the list of tools an administrator, has not filled in
   * everything.
   * @throws BadGateway `tool_header_without_email`.
   */
  headersOf(account: Account): Promise<SignInHeaders | undefined>;
}

/** @returns undefined for a server whose headers are the same for everybody. */
export function personalHeaders(
  server: ToolServer,
  { values, emailOf, mayList }: PersonalHeadersDeps,
): PersonalHeaders | undefined {
  const found = headerTemplatesOf(server);
  if (!found) return undefined;
  const { name, url } = server;
  const findListing = async (): Promise<FilledValues | undefined> => {
    const filled = await values.findListing(name);
    return filled && (await mayList(filled.userId)) ? filled : undefined;
  };
  return {
    ...found,
    async headersOf(account) {
      if (account === "nobody") return undefined;
      const filled =
        account === "listing"
          ? await findListing()
          : found.secrets.length > 0
            ? await values.find(name, account.userId)
            : undefined;
      const userId = account === "listing" ? filled?.userId : account.userId;
      // what was filled in is for the address that the user saw
      const own = filled?.url === url ? filled.values : {};
      if (userId === undefined) return undefined;
      if (found.secrets.some((secret) => !own[secret])) return undefined;
      const email = found.usesEmail ? await emailOf(userId) : "";
      if (email === undefined) throw withoutEmail(name);
      const places = { "user.id": userId, "user.email": email, ...secretPlaces(own) };
      return fillTemplates(found, places);
    },
  };
}

function withoutEmail(server: string): BadGateway {
  return new BadGateway(
    "tool_header_without_email",
    `"${server}" wants your email address with each call, and none is known here. Ask an ` +
      "administrator.",
    { params: { server } },
  );
}
