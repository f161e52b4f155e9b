import type { Access } from "../../src/platform/http/route.ts";
import type { World } from "./world.ts";

/**
 * Who asks for the owner's thing. It is shared with viewer, commenter and editor. The foreigner is
 * a user of another tenant, and the foreign administrator administers that tenant.
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
 * What one gets: a status, or one with the error's code, `404 agent_not_found`; `yes`: any success;
 * `let through`: whatever the thing's state makes of it; `with it` and `without it`: a success
 * whose answer holds the thing's mark or does not. With a refusal the mark must not be in the
 * answer either.
 */
export type Answer =
  | number
  | `${number} ${string}`
  | "yes"
  | "let through"
  | "with it"
  | "without it";
export type Answers = Record<Person, Answer>;

/** A request that is right in everything but who sends it. */
export interface Asked {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  /** Instead of the body, its JSON as text. */
  raw?: string;
  /** Instead of a body: the parts of a multipart form, in this order. */
  form?: Record<string, string | File>;
  headers?: Record<string, string>;
  /**
   * Ids of what everybody may see: they stay where a request for what is not there is made of this
   * one.
   */
  everybodys?: readonly string[];
  /** Words that are in the thing and nowhere else. */
  mark?: string;
}

export interface Case {
  /** Makes the owner's thing and the request that names it. */
  ask(world: World): Asked | Promise<Asked>;
  answers: Answers;
  /** It can be done once: each caller gets a thing of their own. */
  once?: true;
  /** The caller alone decides what is theirs; no filter or decision does. */
  defence?: "identity";
  /** What a service gets that the route lets in. Default: a success. */
  service?: Answer;
  /**
   * What the owner gets by an API key where a token is refused. Default: what a token gets.
   */
  key?: Answer;
}

/** One route: which credentials open it, stated a second time, and what comes of it for whom. */
export interface Row {
  access: Access | readonly Access[];
  cases: Record<string, Case>;
  /** Why it is not asked with credentials that it takes. */
  untried?: string;
  /** Fields that are named like ids and decide nothing, each with the reason. */
  harmless?: Record<string, string>;
}

/** By the name of the route in its contract. */
export type Rows = Record<string, Row>;

const RANK = ["viewer", "commenter", "editor", "owner"] as const;

/**
 * For whom the thing is shared in this role or a stronger one; weaker ones get the answer that
 * theirs is too weak, others that there is none.
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

/** For its owner; there is none for anybody else, shared or not. */
export function ownerAlone(good: Answer = "yes", hidden: Answer = 404): Answers {
  return from("owner", { good, weak: hidden, hidden });
}

/** The same for everybody who is let in. */
export function alike(answer: Answer = "yes"): Answers {
  return from("viewer", { good: answer, hidden: answer });
}

/** The same for everybody of the organisation, and none for others. */
export function members(answer: Answer = "yes", hidden: Answer = 404): Answers {
  return { ...alike(answer), foreigner: hidden, foreignAdmin: hidden };
}

/** For administrators, each of the own tenant; `elsewhere`: what those of another tenant get. */
export function administrators(good: Answer = "yes", elsewhere: Answer = good): Answers {
  return { ...alike(403), admin: good, foreignAdmin: elsewhere };
}

/** For administrators of the installation. */
export function operators(good: Answer = "yes"): Answers {
  return { ...alike(403), admin: good };
}

/** For services, which prove themselves by a secret: no user's token opens it. */
export const services: Answers = alike(401);
