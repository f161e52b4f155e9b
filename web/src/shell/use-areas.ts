import { useQuery } from "@tanstack/react-query";
import { appQuery, meQuery } from "./queries.ts";
import { type Area, AREAS } from "./areas.ts";

/** The areas that the installation has and the roles of the person permit. */
export function useAreas(): readonly Area[] {
  const { data: me } = useQuery(meQuery);
  const { data: app } = useQuery(appQuery);
  return AREAS.filter(
    ({ permission, feature }) =>
      (!permission || me?.permissions.includes(permission)) &&
      (!feature || app?.features[feature]),
  );
}
