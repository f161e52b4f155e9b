import type { MembershipSource } from "../../../../src/services/users/contract-user-access.ts";
import type { en } from "./texts.ts";

/** The reason why somebody is a member of a group. */
export function describeSource(
  texts: Pick<typeof en, "sources">,
  { groupId, groupName, kind }: MembershipSource,
  ofGroup: string,
): string {
  const { added, provider, through, throughProvider } = texts.sources;
  if (groupId === ofGroup) return kind === "added" ? added : provider;
  return kind === "added" ? through(groupName) : throughProvider(groupName);
}
