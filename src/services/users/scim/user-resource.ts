import { shortenText } from "../../../platform/shorten-text.ts";
import { BadRequest } from "../../../platform/http/errors.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import { Email } from "../contract-subjects.ts";
import { USER } from "./attributes.ts";
import { invalidValue } from "./errors.ts";
import type { Resource } from "./values.ts";

/** An account as an identity provider sees it, and the account that its words describe. */

export interface ScimUserRow {
  id: string;
  userName: string;
  externalId: string | null;
  email: string;
  name: string;
  disabled: boolean;
  /** Of `KEPT`, as they were sent. */
  scim: Resource | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface DescribedAccount {
  userName: string;
  externalId: string | null;
  email: string;
  name: string;
  /** Undefined: as it is, or active when it is created. */
  disabled: boolean | undefined;
  scim: Resource;
}

/** The attributes from which the name and the email of the account follow. */
const KEPT = ["name", "displayName", "emails"];

/** @throws BadRequest `scim_value_invalid`, `scim_email_missing`. */
export function toAccount(resource: Resource): DescribedAccount {
  const { userName, externalId, active } = resource;
  if (typeof userName !== "string") throw invalidValue("userName", "it is missing");
  const scim = Object.fromEntries(
    Object.entries(resource).filter(([name]) => KEPT.includes(name)),
  );
  return {
    userName,
    externalId: typeof externalId === "string" ? externalId : null,
    email: emailOf(scim, userName),
    name: nameOf(scim, userName),
    disabled: typeof active === "boolean" ? !active : undefined,
    scim,
  };
}

/** The attributes of an account. What was changed here since counts more than what was sent. */
export function toResource(row: ScimUserRow): Resource {
  const { userName, externalId, disabled } = row;
  const kept = row.scim ?? {};
  const isNameSent = row.scim !== null && nameOf(kept, userName) === row.name;
  const isEmailSent = toEmails(kept).some(
    ({ value }) => typeof value === "string" && value.toLowerCase() === row.email,
  );
  return {
    userName,
    ...kept,
    ...(!isNameSent && { displayName: row.name }),
    ...(!isEmailSent && { emails: [{ value: row.email, type: "work", primary: true }] }),
    active: !disabled,
    ...(externalId !== null && { externalId }),
  };
}

export function toScimUser(row: ScimUserRow, baseUrl: string) {
  return {
    schemas: [USER.id],
    id: row.id,
    ...toResource(row),
    meta: {
      resourceType: USER.name,
      created: row.createdAt.toISOString(),
      lastModified: row.updatedAt.toISOString(),
      location: `${baseUrl}${USER.endpoint}/${row.id}`,
    },
  };
}

function nameOf({ displayName, name }: Resource, userName: string): string {
  const { formatted, givenName, familyName } = isRecord(name) ? name : {};
  const parts = [givenName, familyName].filter((part) => typeof part === "string");
  const found = [displayName, formatted, parts.join(" ")].find(
    (one): one is string => typeof one === "string" && one.trim() !== "",
  );
  return shortenText((found ?? userName).trim(), 200);
}

function emailOf(resource: Resource, userName: string): string {
  const emails = toEmails(resource);
  const chosen =
    emails.find(({ primary }) => primary === true) ??
    emails.find(({ type }) => String(type).toLowerCase() === "work") ??
    emails[0];
  const given = Email.safeParse(chosen ? chosen["value"] : userName);
  if (given.success) return given.data;
  if (chosen) throw invalidValue("emails", "the main one is no email");
  throw new BadRequest(
    "scim_email_missing",
    "The user has no email. Send one in emails, or an email as userName.",
  );
}

function toEmails({ emails }: Resource): Record<string, unknown>[] {
  return Array.isArray(emails) ? emails.filter(isRecord) : [];
}
