import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readArguments } from "./read-arguments.ts";

const USAGE = `Usage: npm run check:english [-- [--count] <paths…>]

Fails on unusual words and metaphors, gendered pronouns, citations of documents outside this
repository, time constants without a unit, and comments over 100 characters a line. Reads all
files of the repository, or those of the paths.

  --count  print a table by folder
  --help   print this`;

interface Rule {
  says: string;
  breaks: RegExp;
}

const RULES: Rule[] = [
  {
    says: "say server, service, listener or process",
    breaks:
      /\b(?:houses?|doors?|farewells?|departures?|sibling (?:service|process)(?:es|s)?)\b/i,
  },
  {
    says: "say who does what: returns, reports, publishes, logs",
    breaks: /\b(?:is|are|was|were|be|been) told\b|\b[Tt]ells? (?:apart|of)\b|\bnews\b/,
  },
  {
    says: "say removes, releases or deletes",
    breaks: /\blet(?:s|ting)? go of\b|\bgone for good\b|\blaid down\b/i,
  },
  { says: "say again", breaks: /\banew\b/i },
  {
    says: "say the user or the caller, and their",
    breaks: /(?<!")\b(?:he|him|his|himself|she|hers)\b(?![":])/i,
  },
  {
    says: "cite a public standard or a page of this repository",
    breaks:
      /\b(?:Source: (?:requirements|design|security)|security row|design ["`]|requirements \d)/i,
  },
  {
    says: "name the unit: _MS, _SECONDS, _BYTES, _CHARACTERS",
    breaks:
      /\bconst [A-Z][A-Z_]*_?(?:TIMEOUT|TTL|INTERVAL|DELAY|BACKOFF|LIFETIME)\b(?! = sql)/,
  },
];
const MAX_LINE_CHARACTERS = 100;
const CHECKED =
  /^(?:src|packages|test|bench|scripts|web)\/.*\.(?:tsx?|sh)$|^docs\/.*\.md$|(?:^|\/)[A-Z]+\.md$/;
/** A list of stop words names pronouns. */
const EXEMPT =
  /^scripts\/check-english\.ts$|\/fixtures\/|^LICENSE|^CHANGELOG\.md$|\/stop-words\.ts$/;

const { values, positionals } = readArguments(USAGE, {
  options: { count: { type: "boolean", default: false } },
  allowPositionals: true,
});
const files = execFileSync("git", ["ls-files", ...positionals], { encoding: "utf8" })
  .split("\n")
  .filter((file) => CHECKED.test(file) && !EXEMPT.test(file));

const findings = files.flatMap((file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      faultsOf(line, file).map((says) => ({
        file,
        place: `${file}:${index + 1}`,
        line,
        says,
      })),
    ),
);

if (values.count) {
  const byFolder = Map.groupBy(findings, ({ file }) =>
    file.split("/").slice(0, 3).join("/"),
  );
  for (const [folder, found] of [...byFolder].sort((a, b) => b[1].length - a[1].length))
    console.log(String(found.length).padStart(6), folder);
} else {
  for (const { place, line, says } of findings)
    console.error(`${place}: ${says}\n    ${line.trim().slice(0, 140)}`);
}
console.log(`${files.length} files, ${findings.length} wrong`);
process.exit(findings.length > 0 ? 1 : 0);

function faultsOf(line: string, file: string): string[] {
  const broken = RULES.filter(({ breaks }) => breaks.test(line)).map(({ says }) => says);
  const tooLong =
    /\.tsx?$/.test(file) &&
    line.length > MAX_LINE_CHARACTERS &&
    /^\s*(?:\/?\*|\/\/)/.test(line);
  return tooLong
    ? [...broken, `wrap comments at ${MAX_LINE_CHARACTERS} characters`]
    : broken;
}
