import { useState } from "react";

/** A switch of the interface that this browser keeps. */
export function useKept(name: string): [boolean, (isOn: boolean) => void] {
  const key = `parlance.${name}`;
  const [isOn, setOn] = useState(() => localStorage.getItem(key) === "1");
  return [
    isOn,
    (next) => {
      setOn(next);
      if (next) localStorage.setItem(key, "1");
      else localStorage.removeItem(key);
    },
  ];
}
