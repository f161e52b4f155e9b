import { texts } from "../texts/language.ts";

const en = { copyCode: "Copy code", copied: "Copied" };
const de = { copyCode: "Code kopieren", copied: "Kopiert" } satisfies typeof en;

export const useMarkdownTexts = texts({ en, de });
