import { type FormEvent, useEffect, useState } from "react";
import { useUiTexts } from "./texts.ts";
import { type Control, validityText } from "./validity-text.ts";

const CONTROLS = ["input", "textarea", "select"];
const INVALID = CONTROLS.map((name) => `${name}:invalid`).join();

/**
 * Why a form could not be sent because of this control, in the app's language, until its value
 * changes; and what to listen to at an element around it.
 */
export function useValidity() {
  const texts = useUiTexts();
  const [refused, setRefused] = useState<Control>();
  // a value also changes from outside, such as from a file that is read
  useEffect(() => {
    if (refused?.validity.valid) setRefused(undefined);
  });
  return {
    problem: refused && !refused.validity.valid ? validityText(refused, texts) : undefined,
    listeners: {
      // `invalid` does not bubble
      onInvalidCapture(event: FormEvent) {
        if (!isControl(event.target)) return;
        event.preventDefault(); // else the browser says it too
        setRefused(event.target);
        if (event.target.form?.querySelector(INVALID) === event.target) show(event.target);
      },
      onInput: () => setRefused(undefined),
    },
  };
}

function isControl(target: EventTarget): target is Control {
  return target instanceof Element && target.matches(CONTROLS.join());
}

/** As the browser does with the first control that is invalid. */
function show(control: Control): void {
  control.closest("details")?.setAttribute("open", ""); // what is hidden takes no focus
  control.focus();
}
