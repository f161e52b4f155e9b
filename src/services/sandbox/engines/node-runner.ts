import { stat } from "node:fs/promises";
import { Console } from "node:console";
import { Session as Inspector } from "node:inspector";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { Writable } from "node:stream";
import { endWithParent } from "../../../platform/isolation/end-with-parent.ts";
import { FOLDER, MAX_OUTPUT_CHARACTERS } from "../contract-limits.ts";
import { encodeBytes, encodeMessage } from "../frames.ts";
import type { Command, Report } from "../messages.ts";
import { readFrame, writeFrame } from "./host-pipe.ts";
import { IMPORT, toScript } from "./to-script.ts";
import { WrittenFiles } from "./written-files.ts";

// The program of a process that runs JavaScript, which obeys the commands of `messages.ts`. The
// code shares everything here, so the service trusts none of it.

const MAX_SHOWN_CHARACTERS = 20_000;
const MAX_ERROR_CHARACTERS = 20_000;

endWithParent();
process.chdir(FOLDER);

/** The code prints without end. */
class OutputLimit extends Error {
  override message = "too much output";
}

/** What `process.exit` throws: the call ends, the process stays. */
class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`The code ended itself with exit code ${code}.`);
    this.code = code;
  }
}

interface Call {
  room: number;
  isOverOutput: boolean;
  /** Its statements have come to an end, as a promise that they gave. */
  isSettled: boolean;
  error: string | undefined;
}

const files = new WrittenFiles(FOLDER);
const out = {
  say: (report: Report) => writeFrame(encodeMessage(report)),
  sendBytes: (bytes: Uint8Array) => writeFrame(encodeBytes(bytes)),
};
let call: Call | undefined;
let count = 0;

const inspector = new Inspector();
inspector.connect();
// the code gets no inspector of its own
(process.permission as typeof process.permission & { drop(scope: string): void }).drop(
  "inspector",
);
/** Where the inspector puts values that are ours to look at. */
const held: { value?: unknown } = {};
prepareGlobals();
const holder = await evaluate("__held; ");
Reflect.deleteProperty(globalThis, "__held");

// a call is over when nothing is left that could still run, as a program of Node is
process.on("beforeExit", () => {
  finish();
  obey();
});
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
out.say({ type: "ready", version: `Node.js ${process.versions.node}` });
obey();

/** Takes commands until one of them runs code. */
function obey(): void {
  for (;;) {
    // only the service sends
    const command = JSON.parse(readFrame().toString("utf8")) as Command;
    if (command.type === "run") {
      // keeps the process alive until the code has begun
      setImmediate(() => void begin(command.code));
      return;
    }
    const { name, size } = command;
    files.put(name, readChunks(size));
  }
}

function* readChunks(size: number): Generator<Buffer> {
  for (let left = size; left > 0;) {
    const chunk = readFrame();
    left -= chunk.byteLength;
    yield chunk;
  }
}

async function begin(code: string): Promise<void> {
  count += 1;
  call = {
    room: MAX_OUTPUT_CHARACTERS,
    isOverOutput: false,
    isSettled: false,
    error: undefined,
  };
  const current = call;
  try {
    const value = await hold(
      await evaluate(`${toScript(code)}\n//# sourceURL=cell-${count}.js`),
    );
    show(await value.value);
  } catch (error) {
    fail(error);
  } finally {
    current.isSettled = true;
  }
}

/** Says what came of the call, and what it wrote. */
function finish(): void {
  if (!call) return;
  if (!call.isSettled) call.error ??= "The code waits for something that never comes.";
  try {
    files.send(out);
  } catch (error) {
    call.error ??= describe(error);
  }
  const { isOverOutput, error } = call;
  call = undefined;
  out.say({
    type: "done",
    isOverOutput,
    ...(error !== undefined && { error: error.toWellFormed() }),
  });
}

/** The first failure counts, also that of a promise which nobody awaited. */
function fail(error: unknown): void {
  if (!call || error instanceof OutputLimit) return;
  if (error instanceof Exit && error.code === 0) return;
  call.error ??= error instanceof Exit ? error.message : describe(error);
}

interface Remote {
  objectId?: string;
  value?: unknown;
  unserializableValue?: string;
}

interface Evaluated {
  result: Remote;
  exceptionDetails?: { exception?: Remote; lineNumber: number; columnNumber: number };
}

/** Names of earlier calls may be declared again, and `await` may stand outside of functions. */
function evaluate(expression: string): Promise<Remote> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Remote>();
  const options = { expression, replMode: true, awaitPromise: true };
  inspector.post("Runtime.evaluate", options, (failure, answer) => {
    if (failure) return reject(failure);
    // the published types lack `replMode`, and with it this answer
    const { result, exceptionDetails } = answer as Evaluated;
    if (!exceptionDetails) return settle(result);
    const { exception = {}, lineNumber, columnNumber } = exceptionDetails;
    void hold(exception).then(({ value }) => {
      // the stack of code that did not begin has no line of it
      if (value instanceof SyntaxError && !value.stack?.includes("cell-"))
        value.stack = `${String(value)}\n    at ${place(expression, lineNumber, columnNumber)}`;
      reject(value);
    }, reject);
  });
  return promise;
}

/** A last line that is ours is the end of the code. */
function place(expression: string, line: number, column: number): string {
  const isEnd = line > 0 && line === expression.split("\n").length - 1;
  return isEnd ? "the end of the code" : `line ${line + 1}, column ${column + 1}`;
}

/** The value that the inspector names. In an object: a promise is a value like others. */
function hold({
  objectId,
  value,
  unserializableValue,
}: Remote): Promise<{ value: unknown }> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<{ value: unknown }>();
  const options = {
    objectId: holder.objectId ?? "",
    functionDeclaration: "function (value) { this.value = value; }",
    // of an object its id is known, of all else its value
    arguments: [{ objectId, value, unserializableValue }],
  };
  inspector.post("Runtime.callFunctionOn", options, (failure) => {
    if (failure) reject(failure);
    else settle({ value: held.value });
    delete held.value;
  });
  return promise;
}

function show(value: unknown): void {
  // a timer that was set says nothing
  if (value === undefined || isTimer(value)) return;
  const text = typeof value === "string" ? value : inspect(value);
  print("stdout", `${shorten(text, MAX_SHOWN_CHARACTERS)}\n`);
}

function isTimer(value: unknown): boolean {
  const name = (value as object | null)?.constructor?.name;
  return name === "Timeout" || name === "Immediate";
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;
}

function print(stream: "stdout" | "stderr", text: string): void {
  // what an earlier call left running prints into the next
  if (!call) return;
  const part = text.slice(0, call.room).toWellFormed();
  call.room -= part.length;
  if (part) out.say({ type: "output", stream, text: part });
  if (part.length === text.length) return;
  call.isOverOutput = true;
  throw new OutputLimit();
}

/** As Node prints it, without the lines of Node and of this program. */
function describe(error: unknown): string {
  const isError = error instanceof Error;
  const text = isError ? inspect(error) : `Uncaught ${inspect(error)}`;
  const whole = text
    .split("\n")
    .filter(
      (line) => !/^ +at .*(?:node:internal|node:inspector|node-runner\.ts)/.test(line),
    )
    .join("\n");
  const half = MAX_ERROR_CHARACTERS / 2;
  return whole.length <= MAX_ERROR_CHARACTERS
    ? whole
    : `${whole.slice(0, half)}\n…\n${whole.slice(-half)}`;
}

function prepareGlobals(): void {
  const require = createRequire(`${FOLDER}/cell.js`);
  for (const stream of ["stdout", "stderr"] as const)
    process[stream].write = ((
      chunk: string | Uint8Array,
      ...rest: (BufferEncoding | (() => void) | undefined)[]
    ) => {
      print(
        stream,
        typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8"),
      );
      const done = rest.at(-1);
      if (typeof done === "function") done();
      return true;
    }) as Writable["write"];
  Object.assign(globalThis, {
    // the one of Node says nothing to code that prints too much
    console: new Console({
      stdout: process.stdout,
      stderr: process.stderr,
      ignoreErrors: false,
    }),
    require,
    __held: held,
  });
  Object.defineProperty(globalThis, IMPORT, {
    value: (name: unknown) => importModule(require, String(name)),
  });
  process.exit = (code) => {
    throw new Exit(Number(code ?? process.exitCode ?? 0));
  };
}

/** A module of Node, or a file of the folder as it is now. */
async function importModule(require: NodeJS.Require, name: string): Promise<unknown> {
  const isFile = /^(?:\.{0,2}\/|file:)/.test(name);
  if (!isFile) {
    const found = resolveModule(require, name);
    return import(found.startsWith("/") ? pathToFileURL(found).href : found);
  }
  const path = name.startsWith("file:") ? fileURLToPath(name) : resolve(FOLDER, name);
  const { mtimeMs } = await stat(path);
  return import(`${pathToFileURL(path).href}?changed=${mtimeMs}`);
}

function resolveModule(require: NodeJS.Require, name: string): string {
  try {
    return require.resolve(name);
  } catch {
    throw new Error(
      `There is no module ${JSON.stringify(name)} here. Modules of Node (such as "node:fs") and ` +
        `files of ${FOLDER} can be imported.`,
    );
  }
}
