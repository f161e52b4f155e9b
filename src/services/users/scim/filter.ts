import { invalidFilter } from "./errors.ts";

/** Filters of SCIM (RFC 7644, 3.4.2.2), read into a tree. */

export type Operator = "eq" | "ne" | "co" | "sw" | "ew" | "gt" | "ge" | "lt" | "le";
export type FilterValue = string | number | boolean | null;
export type Filter =
  | { kind: "and"; parts: Filter[] }
  | { kind: "or"; parts: Filter[] }
  | { kind: "not"; part: Filter }
  | { kind: "present"; path: string }
  | { kind: "compare"; path: string; operator: Operator; value: FilterValue }
  /** `emails[type eq "work"]`: one value that fits all of it. */
  | { kind: "value"; path: string; part: Filter };

const OPERATORS: readonly string[] = [
  "eq",
  "ne",
  "co",
  "sw",
  "ew",
  "gt",
  "ge",
  "lt",
  "le",
] satisfies Operator[];
const MAX_CHARACTERS = 4_000;
/** Far more than an identity provider asks; each is a condition of a query. */
const MAX_TERMS = 100;
const MAX_DEPTH = 20;

/** A text in quotes, a bracket, or a word: a path, an operator, a number. */
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y;

/** @throws BadRequest `scim_filter_invalid`. */
export function parseFilter(text: string, maxTerms = MAX_TERMS): Filter {
  return new Parser(text, maxTerms).whole();
}

class Parser {
  readonly #tokens: string[];
  readonly #maxTerms: number;
  #next = 0;
  #terms = 0;
  #depth = 0;

  constructor(text: string, maxTerms: number) {
    this.#tokens = tokensOf(text);
    this.#maxTerms = maxTerms;
  }

  whole(): Filter {
    const filter = this.#either();
    if (this.#next < this.#tokens.length)
      throw invalidFilter(`"${this.#tokens[this.#next]}" was not expected`);
    return filter;
  }

  #either(): Filter {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw invalidFilter("its brackets are too deep");
    const parts = [this.#both()];
    while (this.#takes("or")) parts.push(this.#both());
    this.#depth -= 1;
    return oneOf("or", parts);
  }

  #both(): Filter {
    const parts = [this.#term()];
    while (this.#takes("and")) parts.push(this.#term());
    return oneOf("and", parts);
  }

  #term(): Filter {
    this.#terms += 1;
    if (this.#terms > this.#maxTerms)
      throw invalidFilter(`it has more than ${this.#maxTerms} terms`);
    if (this.#takes("not")) {
      this.#expect("(");
      return { kind: "not", part: this.#inBrackets(")") };
    }
    if (this.#takes("(")) return this.#inBrackets(")");
    const path = this.#word("an attribute");
    if (this.#takes("[")) return { kind: "value", path, part: this.#inBrackets("]") };
    const operator = this.#word("an operator").toLowerCase();
    if (operator === "pr") return { kind: "present", path };
    if (!isOperator(operator)) throw invalidFilter(`"${operator}" is no operator`);
    return { kind: "compare", path, operator, value: this.#value() };
  }

  #inBrackets(end: ")" | "]"): Filter {
    const filter = this.#either();
    this.#expect(end);
    return filter;
  }

  #value(): FilterValue {
    const token = this.#take("a value");
    try {
      const value: unknown = JSON.parse(
        token.startsWith('"') ? token : token.toLowerCase(),
      );
      if (value === null || typeof value !== "object") return value as FilterValue; // JSON
    } catch {
      // below
    }
    throw invalidFilter(`${token} is no value; texts stand in quotes`);
  }

  #word(what: string): string {
    const token = this.#take(what);
    if (/^["()[\]]/.test(token)) throw invalidFilter(`${what} was expected, not ${token}`);
    return token;
  }

  #take(what: string): string {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw invalidFilter(`${what} is missing at the end`);
    this.#next += 1;
    return token;
  }

  #takes(word: string): boolean {
    if (this.#tokens[this.#next]?.toLowerCase() !== word) return false;
    this.#next += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) throw invalidFilter(`"${token}" is missing`);
  }
}

function tokensOf(text: string): string[] {
  if (text.length > MAX_CHARACTERS)
    throw invalidFilter(`it has more than ${MAX_CHARACTERS} characters`);
  const trimmed = text.trimEnd();
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const found = TOKEN.exec(trimmed);
    if (!found) throw invalidFilter("a quote is not closed");
    tokens.push(found[1] ?? found[2] ?? found[3] ?? "");
  }
  return tokens;
}

function isOperator(word: string): word is Operator {
  return OPERATORS.includes(word);
}

function oneOf(kind: "and" | "or", parts: Filter[]): Filter {
  const [first] = parts;
  return parts.length === 1 && first ? first : { kind, parts };
}
