import { useEffect, useSyncExternalStore } from "react";

/** How many things beside the page need the room of the sidebar now. */
let takers = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  takers += by;
  for (const listener of listeners) listener();
}

/** Takes the room of the sidebar, as long as this is shown. */
export function useTakesRoom(takes: boolean): void {
  useEffect(() => {
    if (!takes) return undefined;
    change(1);
    return () => change(-1);
  }, [takes]);
}

/** Whether something beside the page needs the room of the sidebar. */
export function useIsRoomTaken(): boolean {
  return useSyncExternalStore(onChange, () => takers > 0);
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
