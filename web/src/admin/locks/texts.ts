import { texts } from "../../texts/language.ts";
import { de } from "./texts.de.ts";
import { en } from "./texts.en.ts";

export const useLocksTexts = texts({ en, de });
