import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { personalContract } from "../../../src/services/users/contract-personal.ts";
import { call } from "../api/call.ts";
import { notifyFailure } from "../ui/notices.tsx";

const MODEL = { resourceType: "model" };
const MAX_LISTED = 100;
const MINUTE_MS = 60_000;

/** The ids of the user's favourite models; some may be gone, or not permitted any more. */
export const favoriteModelsQuery = queryOptions({
  queryKey: ["favorites", "model"],
  async queryFn({ signal }) {
    const query = { ...MODEL, limit: MAX_LISTED };
    const { items } = await call(personalContract.listFavorites, { query }, { signal });
    return items.map(({ resourceId }) => resourceId);
  },
  staleTime: MINUTE_MS,
});

interface FavoriteChange {
  id: string;
  isFavorite: boolean;
}

/** Marks a model, which is seen at once; one change is sent after the other. */
export function useFavoriteModel(): (change: FavoriteChange) => void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: favoriteModelsQuery.queryKey,
    scope: { id: "favorite-models" },
    mutationFn({ id, isFavorite }: FavoriteChange) {
      const { addFavorite, removeFavorite } = personalContract;
      const input = { params: { ...MODEL, resourceId: id }, query: {} };
      return call(isFavorite ? addFavorite : removeFavorite, input);
    },
    onError: notifyFailure,
    onSettled() {
      const { queryKey } = favoriteModelsQuery;
      if (queries.isMutating({ mutationKey: queryKey }) > 1) return undefined;
      return queries.invalidateQueries({ queryKey });
    },
  });
  return (change) => {
    const { id, isFavorite } = change;
    // an answer that is under way does not know of the change
    void queries.cancelQueries(favoriteModelsQuery);
    queries.setQueryData(favoriteModelsQuery.queryKey, (known = []) => {
      const others = known.filter((one) => one !== id);
      return isFavorite ? [id, ...others] : others;
    });
    mutate(change);
  };
}
