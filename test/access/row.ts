import type { Access } from "../../src/platform/http/route.ts";
import type { World } from "./world.ts";

/**
 * The callers. The owner's resource is shared with viewer, commenter and editor. The foreigner is a
 * user of another tenant, and the foreign administrator administers that tenant.
 */
export const PEOPLE = [
  "foreigner",
  "foreignAdmin",
  "stranger",
  "viewer",
  "commenter",
  "editor",
  "admin",
  "owner",
] as const;
export type Person = (typeof PEOPLE)[number];

/**
 * The expected answer: a status, or one with the error's code, `404 agent_not_found`; `yes`: any
 * success; `let through`: any answer that depends on the resource's state; `with it` and `without
 * it`: a success whose answer does or does not contain the resource's mark. With a refusal the
 * answer must not contain the mark either.
 */
export type Answer =
  | number
  | `${number} ${string}`
  | "yes"
  | "let through"
  | "with it"
  | "without it";
export type Answers = Record<Person, Answer>;

/** A request that is valid except, perhaps, for its caller. */
export interface Asked {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  /** JSON text in place of the body. */
  raw?: string;
  /** The parts of a multipart form in place of a body, in this order. */
  form?: Record<string, string | File>;
  headers?: Record<string, string>;
  /**
   * Ids of resources that everyone may see. They stay when the request is changed to unknown ids.
   */
  everybodys?: readonly string[];
  /** Words that occur only in the resource. */
  mark?: string;
}

export interface Case {
  /** Creates the owner's resource and the request that names it. */
  ask(world: World): Asked | Promise<Asked>;
  answers: Answers;
  /** The request works only once, so each caller gets a resource of their own. */
  once?: true;
  /** Only the caller determines the answer, without a filter or a decision. */
  defence?: "identity";
  /** The answer to a service. Default: a success. */
  service?: Answer;
  /** The answer to the owner with an API key, if it differs from that with a token. */
  key?: Answer;
}

/**
 * One route: the credentials that it accepts, stated independently, and the answers to each caller.
 */
export interface Row {
  access: Access | readonly Access[];
  cases: Record<string, Case>;
  /** Why the route is not tested with credentials that it accepts. */
  untried?: string;
  /** Fields that are named like ids and decide nothing, each with the reason. */
  harmless?: Record<string, string>;
}

/** By the name of the route in its contract. */
export type Rows = Record<string, Row>;

const RANK = ["viewer", "commenter", "editor", "owner"] as const;

/**
 * For those with whom the resource is shared in this role or a stronger one. Weaker roles get a
 * 403, others a 404.
 */
export function from(
  least: (typeof RANK)[number],
  answers: { good?: Answer; weak?: Answer; hidden?: Answer } = {},
): Answers {
  const { good = "yes", weak = 403, hidden = 404 } = answers;
  const of = (role: (typeof RANK)[number]) =>
    RANK.indexOf(role) < RANK.indexOf(least) ? weak : good;
  return {
    foreigner: hidden,
    foreignAdmin: hidden,
    stranger: hidden,
    viewer: of("viewer"),
    commenter: of("commenter"),
    editor: of("editor"),
    admin: hidden,
    owner: good,
  };
}

/** For the owner. Everyone else gets a 404, shared or not. */
export function ownerAlone(good: Answer = "yes", hidden: Answer = 404): Answers {
  return from("owner", { good, weak: hidden, hidden });
}

/** The same for every admitted caller. */
export function alike(answer: Answer = "yes"): Answers {
  return from("viewer", { good: answer, hidden: answer });
}

/** The same for every member of the organisation, and a 404 for others. */
export function members(answer: Answer = "yes", hidden: Answer = 404): Answers {
  return { ...alike(answer), foreigner: hidden, foreignAdmin: hidden };
}

/**
 * For administrators, each of their own tenant. `elsewhere`: the answer to those of another tenant.
 */
export function administrators(good: Answer = "yes", elsewhere: Answer = good): Answers {
  return { ...alike(403), admin: good, foreignAdmin: elsewhere };
}

/** For administrators of the installation. */
export function operators(good: Answer = "yes"): Answers {
  return { ...alike(403), admin: good };
}

/** For services, which authenticate by a secret. No user's token is accepted. */
export const services: Answers = alike(401);
