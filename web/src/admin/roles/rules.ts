import type { Role } from "./queries.ts";

/** A rule of a role: it grants or forbids one verb or all, on one resource or all. */
export type Rule = Role["permissions"][number];

/** The effect of a role on one permission. `several`: rules that the form cannot show. */
export type Effect = "none" | "allow" | "forbid" | "several";

/** Whether a rule concerns many permissions. */
export const isGeneral = ({ action, subject }: Rule) =>
  action === "manage" || subject === "all";

/** Whether a rule concerns a permission. `manage` grants all but `administer`, forbids all. */
export function concerns({ action, subject, inverted }: Rule, permission: string): boolean {
  const [resource, verb] = permission.split(":");
  if (subject !== "all" && subject !== resource) return false;
  return (
    action === verb || (action === "manage" && (inverted === true || verb !== "administer"))
  );
}

/** The combined effect of a role's rules on a permission. */
export function outcomeOf(
  rules: readonly Rule[],
  permission: string,
): "yes" | "no" | "conditional" {
  const about = rules.filter((rule) => concerns(rule, permission));
  const grants = about.filter(({ inverted }) => !inverted);
  const forbids = about.filter(({ inverted }) => inverted);
  const isPlain = ({ conditions }: Rule) => conditions === undefined;
  if (grants.length === 0 || forbids.some(isPlain)) return "no";
  return forbids.length === 0 && grants.some(isPlain) ? "yes" : "conditional";
}

export type Verdict = ReturnType<typeof outcomeOf> | "forbidden";

/** The same; `forbidden` where no other role can permit it either. */
export function verdictOf(rules: readonly Rule[], permission: string): Verdict {
  const isForbidden = rules.some(
    (rule) => rule.inverted && rule.conditions === undefined && concerns(rule, permission),
  );
  return isForbidden ? "forbidden" : outcomeOf(rules, permission);
}

/** The rules about exactly this permission. */
export function ownRules(rules: readonly Rule[], permission: string): Rule[] {
  return rules.filter(({ action, subject }) => `${subject}:${action}` === permission);
}

export function effectOf(rules: readonly Rule[], permission: string): Effect {
  const [first, ...others] = ownRules(rules, permission);
  if (!first) return "none";
  if (others.length > 0) return "several";
  return first.inverted ? "forbid" : "allow";
}

/** Replaces the rules about exactly this permission. */
export function withEffect(
  rules: readonly Rule[],
  permission: string,
  effect: Effect,
  conditions?: Rule["conditions"],
): Rule[] {
  const [subject = "", action = ""] = permission.split(":");
  const rest = rules.filter((rule) => `${rule.subject}:${rule.action}` !== permission);
  if (effect === "none") return rest;
  const inverted = effect === "forbid" && { inverted: true };
  return [...rest, { action, subject, ...inverted, ...(conditions && { conditions }) }];
}

export const isSameRule = (one: Rule, other: Rule) =>
  one.action === other.action &&
  one.subject === other.subject &&
  Boolean(one.inverted) === Boolean(other.inverted) &&
  JSON.stringify(one.conditions) === JSON.stringify(other.conditions);

/** Adds a rule, or removes it if it exists. */
export function toggleRule(rules: readonly Rule[], rule: Rule): Rule[] {
  const rest = rules.filter((one) => !isSameRule(one, rule));
  return rest.length < rules.length ? rest : [...rules, rule];
}

/** Groups items named after a permission by the permission's resource. */
export function byResource<Item extends { name: string }>(items: readonly Item[]) {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const resource = item.name.split(":")[0] ?? "";
    groups.set(resource, [...(groups.get(resource) ?? []), item]);
  }
  return [...groups];
}
