import type { AccessRole, NewShare, Resource } from "../contract-sharing.ts";

/** A slow and simple model of access, which tests compare with the real decisions. */
export class AccessModel {
  readonly owners = new Map<string, string>();
  readonly parents = new Map<string, string | undefined>();
  readonly shares = new Map<string, AccessRole>();
  readonly links = new Map<string, { level: AccessRole; allowed: string[] | null }>();
  readonly members = new Set<string>();
  readonly nested = new Set<string>();
  readonly disabled = new Set<string>();
  /** Groups by claims of the identity provider. */
  readonly claims = new Map<string, string[]>();
  readonly #clientOf: (user: string) => string;

  constructor(clientOf: (user: string) => string = () => "default") {
    this.#clientOf = clientOf;
  }

  roleOf(user: string, resource: Resource): AccessRole | null {
    if (this.disabled.has(user) || this.#isOfAnother(user, resource)) return null;
    const roles: AccessRole[] = [];
    for (const feature of this.chain(keyOf(resource))) {
      if (this.owners.get(feature) === user) roles.push("owner");
      roles.push(...this.sharedRoles(user, feature));
      const link = this.links.get(feature);
      if (link && (link.allowed === null || link.allowed.includes(user)))
        roles.push(link.level);
    }
    return strongest(roles);
  }

  /** Nobody has access to resources of another tenant. */
  #isOfAnother(user: string, resource: Resource): boolean {
    return this.#clientOf(this.owners.get(keyOf(resource)) ?? "") !== this.#clientOf(user);
  }

  /** The role that `shared-with` lists: without links and own resources. */
  sharedRole(user: string, resource: Resource): AccessRole | null {
    const key = keyOf(resource);
    if (this.owners.get(key) === user || this.disabled.has(user)) return null;
    if (this.#isOfAnother(user, resource)) return null;
    return strongest(
      this.chain(key).flatMap((feature) => [
        ...this.sharedRoles(user, feature),
        ...(this.owners.get(feature) === user ? (["owner"] as const) : []),
      ]),
    );
  }

  isInside(feature: string, folder: string): boolean {
    return this.chain(folder).includes(feature);
  }

  isGroupIn(child: string, parent: string, seen: string[] = []): boolean {
    if (child === parent) return true;
    if (seen.includes(child)) return false;
    return [...this.nested].some((edge) => {
      const [above = "", below] = edge.split(">");
      return below === child && this.isGroupIn(above, parent, [...seen, child]);
    });
  }

  remove(feature: string): void {
    this.owners.delete(feature);
    this.parents.delete(feature);
    this.links.delete(feature);
    for (const key of this.shares.keys())
      if (key.startsWith(`${feature}|`)) this.shares.delete(key);
    for (const [below, parent] of this.parents)
      if (parent === feature) this.parents.set(below, undefined);
  }

  /** The resource and the folders above it; empty for an unknown resource. */
  private chain(feature: string): string[] {
    if (!this.owners.has(feature)) return [];
    const parent = this.parents.get(feature);
    return [feature, ...(parent ? this.chain(parent) : [])];
  }

  private sharedRoles(user: string, feature: string): AccessRole[] {
    return [...this.shares].flatMap(([key, role]) => {
      const [of, type, subject = ""] = key.split("|");
      const meant = type === "user" ? subject === user : this.isMember(user, subject);
      return of === feature && meant ? [role] : [];
    });
  }

  private isMember(user: string, group: string): boolean {
    if (this.claims.get(user)?.some((claimed) => this.isGroupIn(claimed, group)))
      return true;
    return [...this.members].some((membership) => {
      const [in_ = "", member] = membership.split(">");
      return member === user && this.isGroupIn(in_, group);
    });
  }
}

export function keyOf({ resourceType, resourceId }: Resource): string {
  return `${resourceType}:${resourceId}`;
}

export function shareKey(
  resource: Resource,
  { subjectType, subjectId }: Pick<NewShare, "subjectType" | "subjectId">,
): string {
  return `${keyOf(resource)}|${subjectType}|${subjectId}`;
}

export function strongest(roles: readonly AccessRole[]): AccessRole | null {
  return (
    (["owner", "editor", "commenter", "viewer"] as const).find((role) =>
      roles.includes(role),
    ) ?? null
  );
}
