import { useQuery } from "@tanstack/react-query";
import { appQuery, meQuery } from "./queries.ts";
import { type Room, ROOMS } from "./rooms.ts";

/** The rooms that the installation has and the roles of the person permit. */
export function useRooms(): readonly Room[] {
  const { data: me } = useQuery(meQuery);
  const { data: app } = useQuery(appQuery);
  return ROOMS.filter(
    ({ permission, feature }) =>
      (!permission || me?.permissions.includes(permission)) &&
      (!feature || app?.features[feature]),
  );
}
