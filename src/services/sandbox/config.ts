import { z } from "zod";

export const sandboxConfig = z.object({
  SANDBOX_PYTHON: z
    .string()
    .regex(/^\//, "must be an absolute path")
    .optional()
    .describe(
      "The Python that runs people's code, with the packages installed for it, such as " +
        "/opt/venv/bin/python. Default: Python as WebAssembly, with the standard library",
    ),
  SANDBOX_WHEELS: z
    .string()
    .regex(/^\//, "must be an absolute path")
    .optional()
    .describe(
      "A folder with wheels (.whl) of packages that code may import where Python is WebAssembly: " +
        "those of pure Python, and those built for Pyodide. Not used with SANDBOX_PYTHON",
    ),
  SANDBOX_SESSIONS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, "must be a number from 1 to 999")
    .transform(Number)
    .default(8)
    .describe(
      "Sessions of people's code at once, of up to 512 MB each; idle ones make room",
    ),
});
export type SandboxConfig = z.output<typeof sandboxConfig>;
