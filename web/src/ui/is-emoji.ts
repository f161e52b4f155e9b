const MAX_EMOJI_CHARACTERS = 16;
const EMOJI = /^\p{RGI_Emoji}$/v;

/** Whether a text is one emoji. */
export function isEmoji(text: string): boolean {
  return text.length <= MAX_EMOJI_CHARACTERS && EMOJI.test(text);
}
