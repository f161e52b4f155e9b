import type { Database } from "../../platform/db/database.ts";
import type { User } from "../../platform/http/caller.ts";
import type { Rule } from "./contract.ts";
import type { Medium } from "./contract-media.ts";
import type { PreviewedMedium, RulePreview } from "./contract-preview.ts";
import { compare, type Match, RuleIndex, TYPE_MATCHES } from "./rule-index.ts";
import type { RuleMatcher } from "./rule-matcher.ts";
import { listRecentMedia } from "./runs/list-recent-media.ts";

const MAX_RECENT_MEDIA = 20;
/** A new rule gets the highest id of all, and so comes last among equals. */
const ID_OF_NEW_RULE = Number.MAX_SAFE_INTEGER;

/** A medium, and what is known of it if it was received already. */
interface Candidate {
  medium: Medium;
  runId: string | null;
  receivedAt: string | null;
  /** Rules whose agents produced it. */
  madeBy: number[];
}

/** Which media a rule with these patterns would get, compared with the active rules of the user. */
export async function previewRule(
  { db, matcher }: { db: Database; matcher: RuleMatcher },
  user: User,
  { ruleId, type, origin, media }: RulePreview,
): Promise<PreviewedMedium[]> {
  const candidates = media
    ? media.map((medium) => ({ medium, runId: null, receivedAt: null, madeBy: [] }))
    : await listRecentMedia(db, user.userId, MAX_RECENT_MEDIA);
  const stored = await matcher.matchesOfEach(
    user,
    candidates.map(({ medium }) => medium),
  );
  const rule = toRule(user, { id: ruleId ?? ID_OF_NEW_RULE, type, origin });
  return candidates.map((candidate, index) =>
    previewMedium(rule, candidate, stored[index] ?? []),
  );
}

function previewMedium(rule: Rule, candidate: Candidate, stored: Match[]): PreviewedMedium {
  const { medium, runId, receivedAt, madeBy } = candidate;
  const match = findMatch(rule, medium);
  const typeMatch = findMatch({ ...rule, origin: "*" }, medium);
  const originMatch = findMatch({ ...rule, type: "*" }, medium);
  const isOwnOutput = match !== undefined && madeBy.includes(rule.id);
  const others = stored.filter((other) => other.rule.id !== rule.id);
  const best = others.find((other) => !madeBy.includes(other.rule.id));
  const wins = match && !isOwnOutput && (!best || compare(match, best) < 0);
  return {
    runId,
    receivedAt,
    filename: medium.filename ?? "",
    mimeType: medium.mimeType ?? medium.type ?? "",
    origin: medium.origin ?? "",
    path: medium.path ?? null,
    tags: medium.tags,
    fits: match !== undefined,
    typeMatch: typeMatch ? TYPE_MATCHES[typeMatch.typeClass] : null,
    originMatch: originMatch?.origin.text ?? null,
    outcome: wins ? "this_rule" : whyNot(isOwnOutput, best),
    rule: wins || !best ? null : { id: best.rule.id, name: best.rule.name },
  };
}

function whyNot(isOwnOutput: boolean, best: Match | undefined) {
  if (isOwnOutput) return "own_output";
  return best ? "other_rule" : "no_rule";
}

function findMatch(rule: Rule, medium: Medium): Match | undefined {
  return new RuleIndex([rule]).matches(medium)[0];
}

function toRule(user: User, patterns: Pick<Rule, "id" | "type" | "origin">): Rule {
  return {
    ...patterns,
    name: "",
    agents: [],
    is_active: true,
    client_id: user.clientId,
    scope: "personal",
    user_id: user.userId,
    last_update: "",
    created_at: "",
  };
}
