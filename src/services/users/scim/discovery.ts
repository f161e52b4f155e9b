import { NotFound } from "../../../platform/http/errors.ts";
import { type Attribute, GROUP, type ResourceSchema, USER } from "./attributes.ts";
import { listResponse, MAX_COUNT } from "./answers.ts";

/** What identity providers read to learn what is supported (RFC 7643, 5 to 7). */

const RESOURCES = [USER, GROUP];

export function serviceConfig(baseUrl: string) {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_COUNT },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "SCIM token",
        description: "A token that an administrator makes, as a bearer token (RFC 6750)",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: {
      resourceType: "ServiceProviderConfig",
      location: `${baseUrl}/ServiceProviderConfig`,
    },
  };
}

export function resourceTypes(baseUrl: string) {
  return listResponse(RESOURCES.map((resource) => toResourceType(baseUrl, resource)));
}

export function resourceType(baseUrl: string, id: string) {
  const found = RESOURCES.find(({ name }) => name === id);
  if (!found) throw notFound();
  return toResourceType(baseUrl, found);
}

export function schemas(baseUrl: string) {
  return listResponse(RESOURCES.map((resource) => toSchema(baseUrl, resource)));
}

export function schema(baseUrl: string, id: string) {
  const found = RESOURCES.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (!found) throw notFound();
  return toSchema(baseUrl, found);
}

function toResourceType(
  baseUrl: string,
  { id, name, endpoint, description }: ResourceSchema,
) {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: name,
    name,
    endpoint,
    description,
    schema: id,
    meta: { resourceType: "ResourceType", location: `${baseUrl}/ResourceTypes/${name}` },
  };
}

function toSchema(baseUrl: string, { id, name, description, attributes }: ResourceSchema) {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
    id,
    name,
    description,
    attributes: attributes.map(toAttribute),
    meta: { resourceType: "Schema", location: `${baseUrl}/Schemas/${id}` },
  };
}

function toAttribute(attribute: Attribute): object {
  const { name, type, description, canonicalValues, referenceTypes, subAttributes } =
    attribute;
  return {
    name,
    type,
    multiValued: attribute.multiValued ?? false,
    description,
    required: attribute.required ?? false,
    caseExact: attribute.caseExact ?? false,
    mutability: attribute.mutability ?? "readWrite",
    returned: "default",
    uniqueness: attribute.uniqueness ?? "none",
    ...(canonicalValues && { canonicalValues }),
    ...(referenceTypes && { referenceTypes }),
    ...(subAttributes && { subAttributes: subAttributes.map(toAttribute) }),
  };
}

export function notFound(): NotFound {
  return new NotFound(
    "scim_not_found",
    "This does not exist. GET /scim/v2/ResourceTypes lists what does.",
  );
}
