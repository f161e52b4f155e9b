import type { StoredFailure } from "../../platform/http/reported-error.ts";

/** Why a parser backend or an OCR engine is not available. */
export type Absence = StoredFailure;

/** @param names environment variables, separated by commas where there are several. */
export function notSet(names: string): Absence {
  const verb = names.includes(",") ? "are" : "is";
  return {
    code: "setting_missing",
    message: `${names} ${verb} not set`,
    params: { names },
  };
}
