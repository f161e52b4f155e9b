import { expect, test } from "vitest";
import { z } from "zod";
import type { AnyRoute } from "../platform/http/route.ts";
import { loadContracts } from "./load-contracts.ts";

/** Where names that we do not know belong to a protocol of others, which says to ignore them. */
const LIBERAL_PATHS = ["/v1/", "/scim/v2/", "/api/v1/oauth/"];
/** Callers of these may be services of another version, during an upgrade. */
const SERVICES = ["internal", "service-secret", "user-secret", "completion-secret"];

test("a misspelt name within a field of what people write is refused, never dropped", async () => {
  const dropped: string[] = [];
  for (const { name, contract } of await loadContracts())
    for (const [key, route] of Object.entries(contract)) {
      if (!route.body || !isWrittenByPeople(route)) continue;
      for (const place of droppingObjects(route.body as z.ZodType, "body"))
        dropped.push(`${name}.${key}: ${place}`);
    }
  expect(dropped).toEqual([]);
});

test("objects that drop names are found wherever they are nested", () => {
  const loose = z.object({ a: z.string() });
  const found = (schema: z.ZodType) => [...droppingObjects(schema, "body")];
  expect(found(loose)).toEqual([]);
  expect(found(z.object({ one: loose.strict(), two: z.looseObject({}) }))).toEqual([]);
  const nested = z.object({ one: z.array(loose.nullable().optional()).default([]) });
  expect(found(nested)).toEqual(["body.one"]);
  const parts = { one: z.union([z.string(), loose]), two: z.record(z.string(), loose) };
  expect(found(z.object(parts))).toEqual(["body.one", "body.two"]);
});

function isWrittenByPeople({ path, access, changes = "none" }: AnyRoute): boolean {
  return (
    changes !== "none" &&
    !LIBERAL_PATHS.some((start) => path.startsWith(start)) &&
    ![access].flat().some((one) => SERVICES.includes(one))
  );
}

/** Objects within the outermost one that neither keep nor refuse unknown names. */
function* droppingObjects(
  schema: z.core.$ZodType,
  place: string,
  isNested = false,
): Generator<string> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const within = (one: z.core.$ZodType) => droppingObjects(one, place, isNested);
  if (def.type === "object") {
    if (isNested && def.catchall === undefined) yield place;
    for (const [field, one] of Object.entries(def.shape))
      yield* droppingObjects(one, `${place}.${field}`, true);
  } else if (def.type === "array") yield* within(def.element);
  else if (def.type === "record") yield* within(def.valueType);
  else if (def.type === "union") for (const one of def.options) yield* within(one);
  else if (def.type === "intersection") {
    yield* within(def.left);
    yield* within(def.right);
  } else if (def.type === "pipe") yield* within(def.in);
  else if ("innerType" in def) yield* within(def.innerType);
}
