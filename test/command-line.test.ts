import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { COMMANDS } from "../src/commands/command-line.ts";
import { VERSION } from "../src/platform/version.ts";
import { commandEnv } from "./support/command.ts";

interface Ended {
  code: number;
  out: string;
  errors: string;
}

function run(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { env: { ...commandEnv(), ...env } },
      (_, out, errors) => resolve({ code: child.exitCode ?? -1, out, errors }),
    );
  });
}

const parlance = (...args: string[]) => run(process.execPath, ["src/main.ts", ...args]);

test("every command explains itself, by help and by its own option", async () => {
  const { out } = await parlance("help");
  for (const { name, summary } of COMMANDS) {
    expect(out).toContain(`  ${name}`);
    expect(out).toContain(summary);
  }
  for (const name of ["ask", "doctor"]) {
    const [asked, own] = [await parlance("help", name), await parlance(name, "--help")];
    expect(asked).toEqual(own);
    expect(asked.code).toBe(0);
    for (const option of COMMANDS.find((one) => one.name === name)?.options ?? [])
      expect(asked.out).toContain(`--${option.name}`);
  }
});

test("the version is printed alone", async () => {
  expect(await parlance("--version")).toEqual({
    code: 0,
    out: `parlance ${VERSION}\n`,
    errors: "",
  });
});

test("programs read the version as an object", async () => {
  const { code, out } = await parlance("--version", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({ version: VERSION, node: process.version });
});

test.each([
  [["nosuch"], "nosuch"],
  [["--version", "--yaml"], "--yaml"],
  [["--version", "--json", "more"], "more"],
  [["ask", "--folder", "x"], "--folder"],
  [["doctor", "--docs"], "--docs"],
  [["help", "nosuch"], "nosuch"],
  [["completion", "tcsh"], "bash"],
  [[], "parlance – "],
])("wrong usage ends with 2 and says what is meant: %j", async (args, said) => {
  const { code, out, errors } = await parlance(...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(errors).toContain(said);
});

test("a failure ends with 1", async () => {
  const { code, errors } = await parlance(
    "token",
    "--url",
    "http://127.0.0.1:9",
    "--password",
    "x",
  );
  expect(code).toBe(1);
  expect(errors).not.toBe("");
});

test("a wrong configuration is reported to programs as an object", async () => {
  const asked = ["src/main.ts", "doctor", "--json"];
  const { code, out } = await run(process.execPath, asked, { PORT: "many" });
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    node: process.version,
    status: "down",
    checks: { configuration: { status: "down", detail: expect.stringContaining("PORT") } },
  });
});

test("the shell completes commands and the options of one", async () => {
  const { out } = await parlance("completion", "bash");
  const complete = (...words: string[]) =>
    run("bash", [
      "-c",
      `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})\n` +
        `COMP_CWORD=${words.length - 1}\n_parlance\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
    ]);
  expect((await complete("parlance", "doc")).out).toBe("doctor\n");
  expect((await complete("parlance", "ask", "--mo")).out).toBe("--model\n");
  expect((await complete("parlance", "doctor", "--mo")).out.trim()).toBe("");
  expect((await complete("parlance", "help", "doc")).out).toContain("doctor\n");
  expect((await complete("parlance", "completion", "fi")).out).toContain("fish\n");
  expect((await complete("parlance", "--version", "--j")).out).toBe("--json\n");
});
