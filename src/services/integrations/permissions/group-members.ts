import { call, type Fetch } from "../../../platform/http/call.ts";
import { allItems, type PageQuery } from "../../../platform/http/page.ts";
import { ApiError, BadRequest } from "../../../platform/http/errors.ts";
import { groupsContract } from "../../users/contract-groups.ts";

const TIMEOUT_MS = 10_000;

/** Every user in a group of the tenant, in nested groups, and by claims. */
export async function membersOf(
  users: Fetch,
  clientId: string,
  id: string,
): Promise<string[]> {
  const members: string[] = [];
  try {
    const readOne = (page: PageQuery) =>
      call(
        users,
        groupsContract.listMembers,
        { params: { id }, query: { ...page, effective: "true", clientId } },
        { timeoutMs: TIMEOUT_MS },
      );
    for await (const { userId } of allItems(readOne)) members.push(userId);
  } catch (error) {
    const isUnknownGroup =
      error instanceof ApiError &&
      (error.status === 404 || error.code === "validation_failed");
    if (!isUnknownGroup)
      throw new ApiError(
        500,
        "group_lookup_failed",
        "The members of the group could not be read. Try again.",
        {
          cause: error,
        },
      );
  }
  if (members.length === 0)
    throw new BadRequest(
      "group_empty",
      "This group has no members, or does not exist. GET /api/v1/groups lists the groups.",
    );
  return members;
}
