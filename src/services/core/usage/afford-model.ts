import type { User } from "../../../platform/http/caller.ts";
import type { ApiError } from "../../../platform/http/errors.ts";
import type { AnsweredBy } from "../../completion/contract.ts";
import type { ChosenModel } from "../catalogue/choose-model.ts";
import type { PermittedUse } from "../permitted-use.ts";
import { isFree } from "./budgets.ts";

export interface Afforded {
  chosen: ChosenModel;
  /** Where it is another than the one that was asked. */
  answeredBy?: AnsweredBy;
}

/**
 * The model itself. Where a budget in money is used up (`unpaid`) and the model has a price, the
 * first of its fallbacks that the user may use and that has none.
 * @throws `unpaid` when there is no such model.
 */
export async function affordModel(
  use: Pick<PermittedUse, "chooseModel" | "listFallbacks">,
  user: User,
  chosen: ChosenModel,
  unpaid: ApiError | undefined,
): Promise<Afforded> {
  if (!unpaid || isFree(chosen)) return { chosen };
  const fallbacks = await use.listFallbacks(user, chosen.model);
  const free = fallbacks.find(isFree);
  if (!free) throw unpaid;
  const { id: model, displayName: name } = free;
  const answeredBy = { model, name, insteadOf: chosen.model, code: unpaid.code };
  return { chosen: await use.chooseModel(user, model), answeredBy };
}
