/**
 * The attributes of users and groups that are kept (RFC 7643). From here come the schemas that
 * identity providers read, the names in any case, and what a value must be.
 */

export interface Attribute {
  name: string;
  type: "string" | "boolean" | "complex" | "reference";
  multiValued?: true;
  required?: true;
  caseExact?: true;
  mutability?: "readOnly" | "immutable";
  uniqueness?: "server";
  canonicalValues?: readonly string[];
  referenceTypes?: readonly string[];
  /** The most characters of a text. */
  max?: number;
  /** The most values of a multi-valued attribute. */
  maxValues?: number;
  description: string;
  subAttributes?: readonly Attribute[];
}

export interface ResourceSchema {
  id: string;
  name: "User" | "Group";
  endpoint: "/Users" | "/Groups";
  description: string;
  attributes: readonly Attribute[];
  /** The most changes of one PATCH, and the most terms of a filter in a path of it. */
  patch: { maxChanges: number; maxTerms: number };
}

const EXTERNAL_ID: Attribute = {
  name: "externalId",
  type: "string",
  caseExact: true,
  max: 1_000,
  description: "The identity provider's own id",
};

export const USER: ResourceSchema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:User",
  name: "User",
  endpoint: "/Users",
  description: "An account",
  // each change looks at each value by each term
  patch: { maxChanges: 200, maxTerms: 20 },
  attributes: [
    {
      name: "userName",
      type: "string",
      required: true,
      uniqueness: "server",
      max: 320,
      description:
        "The name by which the identity provider knows the user; any case is alike",
    },
    {
      name: "name",
      type: "complex",
      description: "The parts of the user's name",
      subAttributes: [
        { name: "formatted", type: "string", max: 200, description: "The whole name" },
        { name: "familyName", type: "string", max: 200, description: "The family name" },
        { name: "givenName", type: "string", max: 200, description: "The given name" },
      ],
    },
    {
      name: "displayName",
      type: "string",
      max: 200,
      description: "The name that others see; without it, that of `name` or `userName`",
    },
    {
      name: "emails",
      type: "complex",
      multiValued: true,
      maxValues: 20,
      required: true,
      description:
        "The primary one, else that for work, else the first is the account's email. They may be " +
        "left out where `userName` is an email.",
      subAttributes: [
        {
          name: "value",
          type: "string",
          required: true,
          max: 320,
          description: "The email",
        },
        {
          name: "type",
          type: "string",
          max: 50,
          canonicalValues: ["work", "home", "other"],
          description: "What the email is for",
        },
        { name: "primary", type: "boolean", description: "Whether it is the main one" },
      ],
    },
    {
      name: "active",
      type: "boolean",
      required: true,
      description: "Whether the user may sign in; true where it is left out",
    },
    EXTERNAL_ID,
  ],
};

export const GROUP: ResourceSchema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:Group",
  name: "Group",
  endpoint: "/Groups",
  description: "A group of users",
  // members are changed as a set
  patch: { maxChanges: 2_000, maxTerms: 100 },
  attributes: [
    {
      name: "displayName",
      type: "string",
      required: true,
      uniqueness: "server",
      max: 200,
      description: "The name of the group; any case is alike",
    },
    {
      name: "members",
      type: "complex",
      multiValued: true,
      description: "The accounts in the group, and the groups nested in it",
      subAttributes: [
        {
          name: "value",
          type: "string",
          caseExact: true,
          mutability: "immutable",
          max: 200,
          description: "The id of the user or group",
        },
        {
          name: "$ref",
          type: "reference",
          caseExact: true,
          mutability: "immutable",
          referenceTypes: ["User", "Group"],
          max: 2_000,
          description: "The address of the user or group",
        },
        {
          name: "type",
          type: "string",
          mutability: "immutable",
          canonicalValues: ["User", "Group"],
          max: 50,
          description: "Which of both it is",
        },
      ],
    },
    EXTERNAL_ID,
  ],
};

/** Of every resource: set by us alone. */
const COMMON = ["schemas", "id", "meta"];

/**
 * Attributes of RFC 7643 that identity providers send by default and that are not kept: nothing
 * needs them here, and what is not kept cannot leak. Any other unknown name is a mistake.
 */
const NOT_KEPT = new Set(
  (
    "nickname profileurl title usertype preferredlanguage locale timezone password " +
    "phonenumbers ims photos addresses groups entitlements roles x509certificates " +
    "employeenumber costcenter organization division department manager"
  ).split(" "),
);

export type Found =
  | { kind: "kept"; attribute: Attribute }
  | { kind: "common" }
  | { kind: "not-kept" }
  | { kind: "unknown" };

/** Names are the same in any case (RFC 7643, 2.1). */
export function findAttribute(
  attributes: readonly Attribute[] | undefined,
  name: string,
): Attribute | undefined {
  const lower = name.toLowerCase();
  return attributes?.find((attribute) => attribute.name.toLowerCase() === lower);
}

export function lookUp(schema: ResourceSchema, name: string): Found {
  const attribute = findAttribute(schema.attributes, name);
  if (attribute) return { kind: "kept", attribute };
  const lower = name.toLowerCase();
  if (COMMON.includes(lower)) return { kind: "common" };
  if (NOT_KEPT.has(lower) || lower.startsWith("urn:")) return { kind: "not-kept" };
  return { kind: "unknown" };
}
