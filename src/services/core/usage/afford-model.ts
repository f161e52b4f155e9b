import type { User } from "../../../platform/http/caller.ts";
import type { ApiError } from "../../../platform/http/errors.ts";
import type { ModelKind } from "../../completion/contract-model-kinds.ts";
import type { AnsweredBy } from "../../completion/contract.ts";
import type { ChosenModel } from "../catalogue/choose-model.ts";
import type { Selection } from "../catalogue/contract-entries.ts";
import { isFree } from "../../completion/contract-is-free.ts";
import type { Budgets } from "./budgets.ts";

/** What a user's roles permit, of which only this is needed. */
interface Use {
  chooseModel(user: User, name: string | undefined, kind?: ModelKind): Promise<ChosenModel>;
  listFallbacks(user: User | undefined, id: string): Promise<Selection[]>;
}

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
  use: Use,
  user: User,
  chosen: ChosenModel,
  unpaid: ApiError | undefined,
  kind?: ModelKind,
): Promise<Afforded> {
  if (!unpaid || isFree(chosen)) return { chosen };
  const fallbacks = await use.listFallbacks(user, chosen.model);
  const free = fallbacks.find(isFree);
  if (!free) throw unpaid;
  const { id: model, displayName: name } = free;
  const answeredBy = { model, name, insteadOf: chosen.model, code: unpaid.code };
  return { chosen: await use.chooseModel(user, model, kind), answeredBy };
}

export interface AffordDeps {
  use: Use;
  budgets: Pick<Budgets, "admit">;
}

/**
 * The model of a kind that answers a user now: the one of this name, or the first that the user may
 * use, or its fallback as `affordModel` says.
 * @throws TooManyRequests `budget_exceeded`, NotFound `model_unknown`, Forbidden.
 */
export async function chooseAffordable(
  { use, budgets }: AffordDeps,
  user: User,
  name: string | undefined,
  kind?: ModelKind,
): Promise<Afforded> {
  const { unpaid } = await budgets.admit({ userId: user.userId });
  const asked = await use.chooseModel(user, name, kind);
  return affordModel(use, user, asked, unpaid, kind);
}
