/** What browsers report as the key while an input method handles it. */
const INPUT_METHOD_KEY_CODE = 229;

/**
 * Whether a key belongs to an input method, such as the Enter that takes over what was composed.
 * Safari sends that Enter after the end of the composition, and only its key code tells.
 */
export function isComposing(
  event: Pick<KeyboardEvent, "isComposing" | "keyCode">,
): boolean {
  return event.isComposing || event.keyCode === INPUT_METHOD_KEY_CODE;
}
