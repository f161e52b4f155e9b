import { z } from "zod";
import { list } from "../../platform/config/schemas.ts";
import { backendsConfig } from "./backends/all-backends.ts";
import { parsingConfig } from "./parsing-processes.ts";

export const parserConfig = parsingConfig.extend(backendsConfig.shape).extend({
  OCR_COMMAND: z
    .string()
    .default("tesseract")
    .describe("Tesseract, where this machine has it"),
  OCR_LANGUAGES: list()
    .default(["eng", "deu"])
    .describe(
      "Languages that Tesseract reads, comma-separated; those that it has not are left out",
    ),
  OCR_MODEL: z
    .string()
    .optional()
    .describe(
      "A vision model of the completion service that reads pictures of text, before Tesseract",
    ),
  OCR_MAX_PAGES: z
    .string()
    .regex(/^\d{1,5}$/, "must be a number")
    .transform(Number)
    .default(200)
    .describe("Pages of one file that are read from their picture at most"),
  PARSER_PREFETCH: z
    .string()
    .regex(/^[1-9]\d?$/, "must be a number from 1 to 99")
    .transform(Number)
    .optional()
    .describe(
      "Messages of parsing_jobs in work at once; more than PARSER_PROCESSES wait for parsers elsewhere. Default: twice that",
    ),
  CAPTION_MODEL: z
    .string()
    .optional()
    .describe("A vision model of the completion service that says what pictures show"),
});
export type ParserConfig = z.output<typeof parserConfig>;
