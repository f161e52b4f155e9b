import { type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv } from "ajv";

/** A violation and its place: `.city` of `{city}`; "" is the whole value. */
export interface Wrong {
  path: string;
  message: string;
}

const MAX_WRONG = 20;

/**
 * Compiles JSON Schema (2020-12, or draft 7 where it says so). References are never fetched.
 * Large schemas take long to compile, and costly ones to check: `open-schema.ts` bounds both.
 * @throws Error for a schema that cannot be read.
 */
export function compileSchema(
  schema: Record<string, unknown>,
): (value: unknown) => Wrong[] {
  const validate = compile(schema);
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_WRONG).map(describe);
}

const READING = {
  strict: false,
  allErrors: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
} as const;
/**
 * Each schema has its own instance, since it may claim any `$id`. References are not inlined: they
 * would multiply.
 */
const COMPILING = {
  ...READING,
  meta: false,
  validateSchema: false,
  inlineRefs: false,
} as const;
let drafts: { modern: Ajv2020; draft7: Ajv } | undefined;

function compile(schema: Record<string, unknown>): ValidateFunction {
  if ("$async" in schema) throw new Error("an asynchronous schema is not JSON Schema");
  drafts ??= { modern: new Ajv2020(READING), draft7: new Ajv(READING) };
  const isDraft7 = String(schema["$schema"] ?? "").includes("draft-07");
  const draft = isDraft7 ? drafts.draft7 : drafts.modern;
  if (draft.validateSchema(schema) !== true) throw new Error(draft.errorsText());
  return (isDraft7 ? new Ajv(COMPILING) : new Ajv2020(COMPILING)).compile(schema);
}

function describe({ instancePath, message = "is not valid" }: ErrorObject): Wrong {
  return { path: instancePath.replaceAll("/", "."), message };
}
