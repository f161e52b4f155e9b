import {
  type AnyNode,
  type ImportDeclaration,
  type Node,
  type Program,
  parse,
} from "acorn";

/** The function that a script calls where the code says `import`. */
export const IMPORT = "__import";

/**
 * Code as a script that declares its names for the next call, too. Only modules may say `import …
 * from`, and only functions of a module may wait for `import()`, so both become calls of `IMPORT`.
 * Lines stay where they are. What cannot be read stays as it is: the interpreter says why.
 */
export function toScript(code: string): string {
  const program = read(code);
  if (!program) return code;
  const changes: Change[] = [];
  for (const statement of program.body)
    if (statement.type === "ImportDeclaration")
      changes.push(replaceImport(statement, code));
  visit(program, (node) => {
    if (node.type === "ImportExpression")
      changes.push({ start: node.start, end: node.start + "import".length, text: IMPORT });
  });
  changes.sort((one, other) => one.start - other.start);
  let script = "";
  let done = 0;
  for (const { start, end, text } of changes) {
    script += code.slice(done, start) + text;
    done = end;
  }
  return script + code.slice(done);
}

interface Change {
  start: number;
  end: number;
  text: string;
}

function read(code: string): Program | undefined {
  try {
    return parse(code, { ecmaVersion: "latest", sourceType: "module" });
  } catch {
    return undefined;
  }
}

function replaceImport(statement: ImportDeclaration, code: string): Change {
  const { start, end, specifiers, source } = statement;
  const called = `await ${IMPORT}(${JSON.stringify(source.value)})`;
  const parts: string[] = [];
  const names: string[] = [];
  for (const { type, local, ...specifier } of specifiers)
    if (type === "ImportNamespaceSpecifier") parts.push(`${local.name} = ${called}`);
    else {
      const imported =
        "imported" in specifier ? code.slice(...rangeOf(specifier.imported)) : "default";
      names.push(`${imported}: ${local.name}`);
    }
  if (names.length > 0) parts.push(`{ ${names.join(", ")} } = ${called}`);
  const lines = code.slice(start, end).split("\n").length - 1;
  const text = parts.length > 0 ? `const ${parts.join(", ")};` : `${called};`;
  return { start, end, text: text + "\n".repeat(lines) };
}

function rangeOf({ start, end }: Node): [number, number] {
  return [start, end];
}

/** Calls `look` for each node, without recursion: code may be nested as deep as it is long. */
function visit(root: AnyNode, look: (node: AnyNode) => void): void {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) for (const one of value as unknown[]) waiting.push(one);
    else if (isNode(value)) {
      look(value);
      waiting.push(...Object.values(value));
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
