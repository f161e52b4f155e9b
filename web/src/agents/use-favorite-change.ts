import { useChange } from "../shell/use-change.ts";
import { favoritesQuery } from "./queries.ts";

/** Changes favourites, then reads them again. */
export function useFavoriteChange(run: () => Promise<unknown>) {
  return useChange({ run, keys: [favoritesQuery.queryKey, ["agents", "to-ask"]] });
}
