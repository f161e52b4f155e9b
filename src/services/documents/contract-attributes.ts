import { z } from "zod";
import { limitKeys } from "../../platform/http/bounds.ts";

/** What a client notes about a file of a vector store, and the conditions on it. */

/** The most attributes of one file. */
const MAX_ATTRIBUTES = 16;
const MAX_CONDITIONS = 20;
const Key = z.string().min(1).max(64);
const Value = z.union([z.string().max(512), z.number(), z.boolean()]);

export const Attributes = limitKeys(z.record(Key, Value), MAX_ATTRIBUTES);
export type Attributes = z.output<typeof Attributes>;

const Comparison = z.discriminatedUnion("type", [
  z.object({
    type: z.enum(["eq", "ne", "gt", "gte", "lt", "lte"]),
    key: Key,
    value: Value,
  }),
  z.object({
    type: z.enum(["in", "nin"]),
    key: Key,
    value: z.array(Value).max(100),
  }),
]);
export type Comparison = z.output<typeof Comparison>;

const compoundOf = <Inner extends z.ZodType>(inner: Inner) =>
  z.object({
    type: z.enum(["and", "or"]),
    filters: z.array(inner).min(1).max(MAX_CONDITIONS),
  });
const Compound = compoundOf(Comparison);

/** Conditions may be nested three deep: clients write no deeper ones. */
export const AttributeFilter = z
  .union([Comparison, Compound, compoundOf(z.union([Comparison, Compound]))])
  .describe(
    "A file without the attribute fulfils `ne` and `nin` only, and values of different types are " +
      "never equal",
  );
export type AttributeFilter = z.output<typeof AttributeFilter>;
