import { useState } from "react";
import { keepInBrowser } from "../api/keep-in-browser.ts";

/** A switch of the interface that this browser keeps. */
export function useKept(name: string): [boolean, (isOn: boolean) => void] {
  const key = `parlance.${name}`;
  const [isOn, setOn] = useState(() => localStorage.getItem(key) === "1");
  return [
    isOn,
    (next) => {
      setOn(next);
      keepInBrowser(key, next ? "1" : undefined);
    },
  ];
}
