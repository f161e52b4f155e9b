import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import {
  CarriedLabel,
  LabelColor,
  LabelRule,
  MAX_LABELS,
  NamedLabel,
} from "./contract-judge-labels.ts";
import { NamedResource, NewFeature, Resource } from "./contract-sharing.ts";
import { Id, text } from "./contract-subjects.ts";

/** Labels: what may happen with what carries them. See docs/labels.md. */

const MAX_LABELS_OF_RESOURCE = 20;
/** The channel that says that something carries a label now. */
export const LABELS_CHANGED = "labels-changed";

const Fields = LabelRule.extend({
  name: text(100).trim().min(1),
  description: text(1_000),
  color: LabelColor,
  removal: z
    .enum(["owners", "administrators"])
    .describe("Who may take it off what it was put on"),
});

export const NewLabel = Fields.extend({
  description: Fields.shape.description.default(""),
  color: LabelColor.default("plain"),
  providers: LabelRule.shape.providers.default(null),
  openWorld: LabelRule.shape.openWorld.default("ask"),
  sharing: LabelRule.shape.sharing.default(null),
  removal: Fields.shape.removal.default("administrators"),
});
export type NewLabel = z.output<typeof NewLabel>;
export const LabelChange = Fields.partial();
export type LabelChange = z.output<typeof LabelChange>;

export const Label = NamedLabel.extend(Fields.shape).extend({
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Label = z.output<typeof Label>;

/** A label in effect on a resource. */
export const LabelOfResource = Label.extend({
  from: z
    .enum(["own", "folder", "carried"])
    .describe(
      "It was put on the resource, or on a folder above it; `carried`: it came with what a run read",
    ),
  removable: z.boolean().describe("Whether the caller may take it off the resource"),
});
export type LabelOfResource = z.output<typeof LabelOfResource>;

const byId = z.object({ id: z.uuid() });
const LabelIds = z.array(z.uuid()).max(MAX_LABELS_OF_RESOURCE);
const InEffect = z.object({
  labels: z.array(LabelOfResource),
  mayChange: z.boolean().describe("Whether the caller may put labels on the resource"),
});

export const labelsContract = {
  listLabels: route({
    method: "get",
    path: "/api/v1/labels",
    access: "jwt",
    permission: "share:read",
    summary: "List the labels of the organisation, by name",
    query: pageQuery,
    ok: pageOf(Label),
  }),
  createLabel: route({
    method: "post",
    path: "/api/v1/labels",
    access: "admin",
    permission: "label:administer",
    changes: "label",
    summary: "Define a label and its rule",
    body: NewLabel,
    status: 201,
    ok: Label,
  }),
  changeLabel: route({
    method: "patch",
    path: "/api/v1/labels/:id",
    access: "admin",
    permission: "label:administer",
    changes: "label/:id",
    summary: "Change a label or its rule, which holds for every run that begins after it",
    params: byId,
    body: LabelChange,
    ok: Label,
  }),
  deleteLabel: route({
    method: "delete",
    path: "/api/v1/labels/:id",
    access: "admin",
    permission: "label:administer",
    changes: "label/:id",
    summary: "Delete a label: whatever carries it carries it no more",
    params: byId,
  }),
  labelsOn: route({
    method: "get",
    path: "/api/v1/labels/on/:resourceType/:resourceId",
    access: "jwt",
    permission: "share:read",
    summary:
      "List the labels in effect on a resource: its own, and those of folders above it",
    params: NamedResource,
    ok: InEffect,
  }),
  setLabels: route({
    method: "put",
    path: "/api/v1/labels/on/:resourceType/:resourceId",
    access: "jwt",
    permission: "share:create",
    changes: "label",
    summary: "Set the labels of a resource that the caller owns or administers",
    description:
      "Those of folders above it stay in effect. Taking one off needs what its rule says: 403 " +
      "`label_removal_refused`. A resource that is shared beyond what a label permits is 409 " +
      "`label_shared_outside`.",
    params: NamedResource,
    body: z.object({ labelIds: LabelIds }),
    ok: InEffect,
  }),
  labelsInUse: route({
    method: "get",
    path: "/api/v1/labels/in-use",
    access: "user-secret",
    summary: "Whether anything carries a label",
    ok: z.object({ inUse: z.boolean() }),
  }),
  labelsOf: route({
    method: "post",
    path: "/api/v1/labels/of",
    access: "user-secret",
    changes: "none",
    summary: "The labels in effect on any of these resources, and the groups of a user",
    body: z.object({
      resources: z.array(Resource).max(500),
      labelIds: z
        .array(z.uuid())
        .max(MAX_LABELS)
        .optional()
        .describe("Others, by their ids"),
      userId: Id.optional().describe("Whose groups are asked for"),
    }),
    ok: z.object({
      labels: z.array(CarriedLabel),
      groups: z.array(z.uuid()).describe("Those of the user that rules of the labels name"),
    }),
  }),
  carryLabels: route({
    method: "post",
    path: "/api/v1/labels/carry",
    access: "user-secret",
    changes: "none",
    summary: "Put labels on a resource that holds what a run made of labelled content",
    description:
      "Registers the resource where it is not. 409 `label_shared_outside` where it is shared beyond " +
      "what a label permits.",
    body: z.object({
      resource: NewFeature,
      labelIds: z.array(z.uuid()).max(MAX_LABELS),
    }),
  }),
};
