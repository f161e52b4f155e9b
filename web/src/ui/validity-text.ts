import { formatNumber } from "../texts/format.ts";
import type { useUiTexts } from "./texts.ts";

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What is wrong with the value of a control: the browser says it in its own language. */
export function validityText(
  control: Control,
  { validity: texts }: ReturnType<typeof useUiTexts>,
): string {
  const { validity, type } = control;
  if (validity.customError) return control.validationMessage;
  if (validity.badInput) return type === "number" ? texts.number : texts.incomplete;
  if (validity.valueMissing) {
    const isChoice = control instanceof HTMLSelectElement || type === "file";
    return isChoice ? texts.choice : texts.missing;
  }
  if (validity.typeMismatch) return type === "email" ? texts.email : texts.address;
  if (validity.tooShort && !(control instanceof HTMLSelectElement))
    return texts.tooShort(formatNumber(control.minLength));
  if (control instanceof HTMLInputElement && type === "number") {
    const { min, max, step } = control;
    if (validity.rangeUnderflow) return texts.atLeast(formatNumber(Number(min)));
    if (validity.rangeOverflow) return texts.atMost(formatNumber(Number(max)));
    if (validity.stepMismatch)
      return Number(step || 1) === 1
        ? texts.whole
        : texts.steps(formatNumber(Number(step)));
  }
  return texts.form;
}
